import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { CallInput } from '../../src-shared/contract.ts'
import { isCalendarDate } from '../../src-shared/fields.ts'
import { formatCalendarDay, formatInstant } from '../format/instants.ts'
import { formatCount } from '../format/numbers.ts'
import { runCall } from '../shell/run-call.ts'
import { tell } from '../shell/tell.tsx'
import { useAnswer } from '../store/use-answer.ts'
import { useSession } from '../store/use-station.ts'
import { SETTINGS_WORDS } from '../words/settings-words.ts'
import { SHELL_WORDS } from '../words/shell-words.ts'
import css from './settings-screen.module.css'

const WORDS = SETTINGS_WORDS.folders.asking

export type ExistingDecisionProps = { readonly path: string; readonly count: number }
type Choice = 'include' | 'since' | 'ignore'

/** Asks once what the files are that lay in a folder before the first start; counts them before anything is taken. */
export function ExistingDecision({ path, count }: ExistingDecisionProps) {
  const session = useSession()
  const [asked, setAsked] = useState<Exclude<Choice, 'ignore'> | null>(null)
  const [since, setSince] = useState('')
  const isDay = isCalendarDate(since)
  const counted = useAnswer('folders.countExisting', { path, ...(isDay && { since }) })
  const { oldestAt = null, newestAt = null } = counted.value ?? {}
  const sinceCount = isDay && !counted.isReading ? (counted.value?.sinceCount ?? null) : null
  const taken = asked === 'since' ? (sinceCount ?? 0) : count

  const decide = async (choice: Choice): Promise<void> => {
    setAsked(null)
    const input: CallInput<'folders.decideExisting'> =
      choice === 'since' ? { path, existing: choice, since } : { path, existing: choice }
    if (await runCall(session, 'folders.decideExisting', input))
      tell({ tone: 'green', message: choice === 'ignore' ? WORDS.ignored : WORDS.included })
  }
  return (
    <div className={css.asking}>
      <strong>{WORDS.title(formatCount(count))}</strong>
      <p>{WORDS.body}</p>
      <p className="tabular">
        {oldestAt !== null && newestAt !== null
          ? WORDS.range(formatInstant(oldestAt), formatInstant(newestAt))
          : '\u00a0'}
      </p>
      <div className={css.sinceLine}>
        <TextInput
          type="date"
          label={WORDS.sinceLabel}
          value={since}
          onChange={(event) => setSince(event.currentTarget.value)}
        />
        <Button
          variant="default"
          disabled={sinceCount === null || sinceCount === 0}
          onClick={() => setAsked('since')}
        >
          {WORDS.since}
        </Button>
        <span className="tabular" role="status">
          {!isDay
            ? WORDS.sinceHint
            : sinceCount === null
              ? WORDS.counting
              : WORDS.sinceCount(formatCount(sinceCount))}
        </span>
      </div>
      <Group gap={8}>
        <Button variant="default" onClick={() => void decide('ignore')}>
          {WORDS.ignore}
        </Button>
        <Button variant="default" onClick={() => setAsked('include')}>
          {WORDS.include}
        </Button>
      </Group>
      <Modal
        opened={asked !== null}
        onClose={() => setAsked(null)}
        title={
          asked === 'since'
            ? WORDS.confirmSince(formatCount(taken), formatCalendarDay(since))
            : WORDS.confirmTitle(formatCount(taken))
        }
        closeButtonProps={{ 'aria-label': SHELL_WORDS.close }}
      >
        <Stack>
          <Text>{WORDS.confirm}</Text>
          <Group justify="flex-end">
            <Button variant="default" data-autofocus onClick={() => setAsked(null)}>
              {SHELL_WORDS.cancel}
            </Button>
            <Button onClick={() => asked && void decide(asked)}>
              {asked === 'since' ? WORDS.since : WORDS.include}
            </Button>
          </Group>
        </Stack>
      </Modal>
    </div>
  )
}
