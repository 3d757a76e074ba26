/** The decision about the files that were in a folder before it was watched. */
import { Button, Group, TextInput } from '@mantine/core'
import { useState } from 'react'
import { isCalendarDate } from '../../src-shared/fields.ts'
import { ConfirmDialog } from '../components/dialog.tsx'
import { formatCalendarDay, formatInstant } from '../format/dates.ts'
import { formatCount } from '../format/numbers.ts'
import { t } from '../i18n/i18n.ts'
import { runCall } from '../shell/toast.tsx'
import { useAnswer, useSession } from '../store/use-station.ts'
import css from './settings-screen.module.css'

/** Asks once what to do with these files; counts them before anything is ingested. */
export function ExistingDecision({ path, count }: { readonly path: string; readonly count: number }) {
  const session = useSession()
  const [asked, setAsked] = useState<'include' | 'since' | null>(null)
  const [since, setSince] = useState('')
  const isDay = isCalendarDate(since)
  const counted = useAnswer('folders.countExisting', { path, ...(isDay && { since }) })
  const { oldestAt = null, newestAt = null } = counted.value ?? {}
  const sinceCount = isDay && !counted.isReading ? (counted.value?.sinceCount ?? null) : null
  const taken = formatCount(asked === 'since' ? (sinceCount ?? 0) : count)

  const decide = async (existing: 'include' | 'since' | 'ignore'): Promise<void> => {
    setAsked(null)
    const input = existing === 'since' ? { path, existing, since } : { path, existing }
    await runCall(session, 'folders.decideExisting', input)
  }
  return (
    <div className={css.asking}>
      <strong>{t('settings:folders.asking.title', { count: formatCount(count) })}</strong>
      <p>{t('settings:folders.asking.body')}</p>
      <p className="tabular">
        {oldestAt !== null && newestAt !== null
          ? t('settings:folders.asking.range', {
              oldest: formatInstant(oldestAt),
              newest: formatInstant(newestAt),
            })
          : '\u00a0'}
      </p>
      <div className={css.sinceLine}>
        <TextInput
          type="date"
          label={t('settings:folders.asking.sinceLabel')}
          value={since}
          onChange={(event) => setSince(event.currentTarget.value)}
        />
        <Button variant="default" disabled={!sinceCount} onClick={() => setAsked('since')}>
          {t('settings:folders.asking.since')}
        </Button>
        <span className="tabular" role="status">
          {!isDay
            ? t('settings:folders.asking.sinceHint')
            : sinceCount === null
              ? t('settings:folders.asking.counting')
              : t('settings:folders.asking.sinceCount', { count: formatCount(sinceCount) })}
        </span>
      </div>
      <Group gap={8}>
        <Button variant="default" onClick={() => void decide('ignore')}>
          {t('settings:folders.existingChoices.ignore')}
        </Button>
        <Button variant="default" onClick={() => setAsked('include')}>
          {t('settings:folders.existingChoices.include')}
        </Button>
      </Group>
      <ConfirmDialog
        opened={asked !== null}
        onClose={() => setAsked(null)}
        title={
          asked === 'since'
            ? t('settings:folders.asking.confirmSince', { count: taken, day: formatCalendarDay(since) })
            : t('settings:folders.asking.confirmTitle', { count: taken })
        }
        text={t('settings:folders.asking.confirm')}
        action={t(
          asked === 'since' ? 'settings:folders.asking.since' : 'settings:folders.existingChoices.include',
        )}
        onConfirm={() => asked && void decide(asked)}
      />
    </div>
  )
}
