import { Button, Loader, Radio, TextInput } from '@mantine/core'
import { IconCircleCheck } from '@tabler/icons-react'
import { useState } from 'react'
import { formatInstant } from '../format/instants.ts'
import { t } from '../words/t.ts'
import { CompareTable } from './compare-table.tsx'
import css from './decision-panel.module.css'
import type { Candidates } from './use-candidates.ts'

const OTHER = 'other'

export type CandidateChoiceProps = {
  readonly candidates: Candidates
  readonly onChoose: (caseId: string) => void
}

/** "It is there": which case of the service it is, chosen by comparing, or named by its id. */
export function CandidateChoice({ candidates, onChoose }: CandidateChoiceProps) {
  const { items, list, readAt, readAgain } = candidates
  const [choice, setChoice] = useState<string | null>(null)
  const [typed, setTyped] = useState('')
  const [isMissing, setMissing] = useState(false)
  // A choice whose case is not offered any more is none.
  const chosen = choice === OTHER || items.some(({ caseId }) => caseId === choice) ? choice : null
  const isOther = items.length === 0 || chosen === OTHER

  const choose = (): void => {
    const caseId = (isOther ? typed : (chosen ?? '')).trim()
    setMissing(caseId === '')
    if (caseId !== '') onChoose(caseId)
  }
  return (
    <div className={css.choice}>
      <h3>
        <IconCircleCheck size={18} aria-hidden />
        {t('submission:decision.there.title')}
      </h3>
      <p>{t('submission:decision.there.explain')}</p>
      <p>
        <strong>{t('submission:decision.risk')}</strong> {t('submission:decision.there.risk')}
      </p>
      <div className={css.answer}>
        {items.length > 0 && (
          <Radio.Group value={chosen} onChange={setChoice} label={t('submission:decision.there.which')}>
            <div className={css.which}>
              <CompareTable ours={candidates.ours} candidates={items} />
              <Radio value={OTHER} label={t('submission:decision.there.other')} />
            </div>
          </Radio.Group>
        )}
        <p className={css.list} data-list={list}>
          {list === 'reading' && <Loader size={14} aria-hidden />}
          {list === 'reading' && t('delivery:compare.reading')}
          {list === 'unreadable' && t('delivery:compare.noList')}
          {list === 'read' &&
            readAt !== null &&
            t('delivery:compare.readAt', { when: formatInstant(readAt) })}
          <Button size="compact-sm" variant="default" onClick={readAgain}>
            {t('delivery:compare.readAgain')}
          </Button>
        </p>
        {isOther && (
          <TextInput
            label={t('submission:decision.there.id')}
            value={typed}
            maxLength={200}
            maw={340}
            onChange={(event) => setTyped(event.currentTarget.value)}
            onKeyDown={(event) => event.key === 'Enter' && choose()}
          />
        )}
        {isMissing && (
          <p className={css.problem} role="alert">
            {t('submission:decision.there.missing')}
          </p>
        )}
      </div>
      <Button variant="light" onClick={choose}>
        {t('submission:decision.there.action')}
      </Button>
    </div>
  )
}
