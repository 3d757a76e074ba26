/** Cases that wait too long. */
import { useInterval } from '@mantine/hooks'
import { Button, Loader, Popover, UnstyledButton } from '@mantine/core'
import { IconHourglassHigh } from '@tabler/icons-react'
import { useState } from 'react'
import type { OverdueItem as Aged } from '../../src-shared/alarms.ts'
import { MINUTE } from '../../src-shared/durations.ts'
import { FailureNotice } from '../components/notices.tsx'
import { formatExactly, formatInstant } from '../format/dates.ts'
import { messageOf, t } from '../i18n/i18n.ts'
import { useNames } from '../privacy/names.tsx'
import { writeRoute } from '../shell/navigation.tsx'
import { useAnswer, useStation } from '../store/use-station.ts'
import css from './ageing.module.css'

/** These cases have waited for days, so a slow refresh is enough. */
const REFRESH_MS = 2 * MINUTE

const COUNT_ONLY = { limit: 1 }
const KINDS: readonly Aged['kind'][] = ['notSent', 'notConfirmed', 'noReport', 'notRedone']

export function Overdue() {
  // The queue loads first: these cases can wait.
  const isQueueThere = useStation((state) => state.snapshots > 0)
  const { value, readAgain } = useAnswer('submissions.ageing', isQueueThere ? COUNT_ONLY : null)
  const [isOpen, setOpen] = useState(false)
  useInterval(readAgain, REFRESH_MS, { autoInvoke: true })
  const count = value?.count ?? 0
  if (count === 0) return null
  return (
    <Popover
      opened={isOpen}
      onChange={setOpen}
      width={520}
      trapFocus
      returnFocus
      withinPortal
      position="bottom-start"
      shadow="md"
      radius="lg"
    >
      <Popover.Target>
        <Button
          variant="default"
          className={css.button ?? ''}
          leftSection={<IconHourglassHigh size={17} aria-hidden />}
          onClick={() => setOpen(!isOpen)}
        >
          {t('ageing:button', { count })}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('ageing:title')} p={0}>
        <OverdueList />
      </Popover.Dropdown>
    </Popover>
  )
}

/** Loaded when it is opened: there may be a thousand cases, and the first page needs none of them. */
function OverdueList() {
  const { value, failure } = useAnswer('submissions.ageing', {})
  const [chosen, setChosen] = useState<Aged['kind'] | null>(null)
  if (value === null)
    return failure === null ? (
      <Loader className={css.reading} aria-label={t('ageing:title')} />
    ) : (
      <FailureNotice failure={failure} tone="amber" />
    )
  const { items } = value
  const kinds = KINDS.filter((kind) => items.some((item) => item.kind === kind))
  const shown = chosen !== null && kinds.includes(chosen) ? chosen : null
  return (
    <>
      <div className={css.head}>
        <h2 className={css.title}>{t('ageing:title')}</h2>
        <div className={css.kinds} role="group" aria-label={t('ageing:kinds')}>
          {[null, ...kinds].map((kind) => (
            <UnstyledButton
              key={kind}
              className={css.kind}
              aria-pressed={shown === kind}
              onClick={() => setChosen(kind)}
            >
              {kind === null ? t('ageing:all') : t(`ageing:kind.${kind}`)}
              <span className="tabular">
                {kind === null ? items.length : items.filter((item) => item.kind === kind).length}
              </span>
            </UnstyledButton>
          ))}
        </div>
      </div>
      <ul role="list" className={css.items} aria-label={t('ageing:cases')}>
        {items
          .filter((item) => shown === null || item.kind === shown)
          .toSorted((one, other) => one.since - other.since)
          .map((item) => (
            <OverdueRow key={`${item.kind} ${item.submissionId}`} item={item} />
          ))}
      </ul>
    </>
  )
}

function OverdueRow({ item }: { readonly item: Aged }) {
  const { submissionId, reference, kind, since } = item
  const names = useNames()
  const fields = useStation((state) => state.submissions[submissionId]?.fields)
  return (
    <li>
      <a href={writeRoute({ screen: 'submission', id: submissionId })} className={css.item}>
        <span className={css.line}>
          <strong className="truncate">{fields ? names.patientLabel(fields) : reference}</strong>
          <span className={css.kindLabel}>{t(`ageing:kind.${kind}`)}</span>
          <time className="tabular" title={formatExactly(since)}>
            {t('ageing:since', { when: formatInstant(since) })}
          </time>
        </span>
        <span className="dim">{messageOf(item)}</span>
      </a>
    </li>
  )
}
