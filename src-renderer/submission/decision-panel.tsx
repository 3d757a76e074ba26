import { Button, Radio, Stack, TextInput } from '@mantine/core'
import { IconCircleCheck, IconHelpCircle, IconRepeat } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import type { SubmissionDetails } from '../../src-shared/submission.ts'
import { Countdown } from '../parts/countdown.tsx'
import { runCall } from '../shell/run-call.ts'
import { tell } from '../shell/tell.tsx'
import { useSession } from '../store/use-station.ts'
import { signature } from '../who/initials.ts'
import { QUEUE_WORDS } from '../words/queue-words.ts'
import { SUBMISSION_WORDS } from '../words/submission-words.ts'
import { Cautions } from './cautions.tsx'
import { ConfirmDecision, type Decision } from './confirm-decision.tsx'
import css from './decision-panel.module.css'
import { deliveryPicture } from './delivery-picture.ts'
import { Evidence } from './evidence.tsx'

const WORDS = SUBMISSION_WORDS.decision
const OTHER = 'other'

export type DecisionPanelProps = {
  readonly details: SubmissionDetails
  readonly onDecided: (details: SubmissionDetails) => void
}

/** What is known about a delivery without a clear answer, and the two things that a person may say about it. */
export function DecisionPanel({ details, onDecided }: DecisionPanelProps) {
  const session = useSession()
  const { evidence, notBefore } = details
  const { why, candidates, cautions } = useMemo(() => deliveryPicture(evidence), [evidence])
  const [choice, setChoice] = useState<string | null>(null)
  const [typed, setTyped] = useState('')
  const [isMissing, setMissing] = useState(false)
  const [decision, setDecision] = useState<Decision | null>(null)
  // Trying again what may have arrived never sends it: the station looks for it.
  const look = async (): Promise<void> => {
    if (await runCall(session, 'submissions.retry', { ids: [details.id], ...signature() }))
      tell({ tone: 'green', message: SUBMISSION_WORDS.evidence.looking })
  }
  const isOther = candidates.length === 0 || choice === OTHER

  const sayThere = (): void => {
    const caseId = (isOther ? typed : (choice ?? '')).trim()
    setMissing(caseId === '')
    if (caseId !== '') setDecision({ delivered: true, caseId })
  }
  return (
    <section className={css.panel} aria-labelledby="decision">
      <h2 id="decision" className={css.title}>
        <IconHelpCircle size={20} aria-hidden />
        {WORDS.title}
      </h2>
      <p>{WORDS.explain[why]}</p>
      <Cautions cautions={cautions} />
      <div className={css.columns}>
        <div className={css.known}>
          <h3>{SUBMISSION_WORDS.evidence.title}</h3>
          <Evidence evidence={evidence} />
          <p className={css.next}>
            {notBefore !== null && (
              <Countdown until={notBefore} say={QUEUE_WORDS.nextLook} over={QUEUE_WORDS.looksByItself} />
            )}
            <Button size="compact-sm" variant="default" onClick={() => void look()}>
              {SUBMISSION_WORDS.evidence.lookNow}
            </Button>
          </p>
        </div>
        <div className={css.choice}>
          <h3>
            <IconCircleCheck size={18} aria-hidden />
            {WORDS.there.title}
          </h3>
          <p>{WORDS.there.explain}</p>
          <p>
            <strong>{WORDS.risk}</strong> {WORDS.there.risk}
          </p>
          <Stack gap={8} className={css.answer ?? ''}>
            {candidates.length > 0 && (
              <Radio.Group value={choice} onChange={setChoice} label={WORDS.there.which}>
                <Stack gap={6} mt={4}>
                  {candidates.map((caseId) => (
                    <Radio key={caseId} value={caseId} label={caseId} />
                  ))}
                  <Radio value={OTHER} label={WORDS.there.other} />
                </Stack>
              </Radio.Group>
            )}
            {isOther && (
              <TextInput
                label={WORDS.there.id}
                value={typed}
                maxLength={200}
                onChange={(event) => setTyped(event.currentTarget.value)}
              />
            )}
            {isMissing && <p className={css.problem}>{WORDS.there.missing}</p>}
            <Button variant="light" onClick={sayThere}>
              {WORDS.there.action}
            </Button>
          </Stack>
        </div>
        <div className={css.choice}>
          <h3>
            <IconRepeat size={18} aria-hidden />
            {WORDS.absent.title}
          </h3>
          <p>{WORDS.absent.explain}</p>
          <p>
            <strong>{WORDS.risk}</strong> {WORDS.absent.shortRisk}
          </p>
          <Button variant="light" color="red" onClick={() => setDecision({ delivered: false })}>
            {WORDS.absent.action}
          </Button>
        </div>
      </div>
      <ConfirmDecision
        id={details.id}
        decision={decision}
        cautions={cautions}
        onClose={() => setDecision(null)}
        onDecided={onDecided}
      />
    </section>
  )
}
