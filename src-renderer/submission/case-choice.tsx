import { Loader, TextInput, UnstyledButton } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useState, type KeyboardEvent } from 'react'
import type { Submission } from '../../src-shared/submission.ts'
import { formatCalendarDay } from '../format/instants.ts'
import { StateBadge } from '../parts/state-badge.tsx'
import { useNames } from '../privacy/use-names.ts'
import { MERGEABLE_STATES } from '../queue/joinable.ts'
import { shownStateOf } from '../store/shown-state.ts'
import { useAnswer } from '../store/use-answer.ts'
import css from './grouping.module.css'
import { said } from '../words/said.ts'
import { t } from '../words/t.ts'

const PAUSE_MS = 250
const MAX_CASES = 30

export type CaseChoiceProps = {
  readonly exceptId: string
  readonly chosenId: string | null
  readonly onChoose: (submission: Submission) => void
}

/** The open cases to choose one from, with a search that the station answers. */
export function CaseChoice({ exceptId, chosenId, onChoose }: CaseChoiceProps) {
  const names = useNames()
  const [text, setText] = useState('')
  const [search] = useDebouncedValue(text.trim(), PAUSE_MS)
  const { value, failure, isReading } = useAnswer('submissions.list', {
    state: [...MERGEABLE_STATES],
    // One more, because the case itself may be among them.
    limit: MAX_CASES + 1,
    ...(search !== '' && { search }),
  })
  const cases = (value?.items ?? []).filter(({ id }) => id !== exceptId).slice(0, MAX_CASES)
  return (
    <div className={css.choice} onKeyDown={stepAmongCases}>
      <TextInput
        role="searchbox"
        data-autofocus
        label={t('submission:grouping.search')}
        placeholder={t('queue:search')}
        autoComplete="off"
        leftSection={<IconSearch size={17} aria-hidden />}
        rightSection={isReading && <Loader size={15} />}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      {failure && <p className={css.trouble}>{said(failure.message)}</p>}
      <div className={css.cases} role="group" aria-label={t('submission:grouping.cases')}>
        {value && cases.length === 0 && <p className={css.nothing}>{t('submission:grouping.noCases')}</p>}
        {cases.map((one) => (
          <UnstyledButton
            key={one.id}
            data-case={one.id}
            className={css.case}
            aria-pressed={one.id === chosenId}
            onClick={() => onChoose(one)}
          >
            <span className={css.who}>
              <strong className="truncate">{one.fields.history_number ?? t('queue:noHistoryNumber')}</strong>
              <span className="truncate">{names.nameOf(one.fields) ?? t('queue:noName')}</span>
            </span>
            <span className="tabular">
              {one.fields.visit_date ? formatCalendarDay(one.fields.visit_date) : t('queue:noDate')}
            </span>
            <StateBadge state={shownStateOf(one)} />
          </UnstyledButton>
        ))}
      </div>
    </div>
  )
}

/** Up and down among the cases, as in a list. */
function stepAmongCases(event: KeyboardEvent<HTMLElement>): void {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
  const buttons = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-case]')]
  const index = buttons.findIndex((button) => button === document.activeElement)
  const next = event.key === 'ArrowDown' ? buttons[index + 1] : buttons[index - 1]
  if (!next) return
  event.preventDefault()
  next.focus()
}
