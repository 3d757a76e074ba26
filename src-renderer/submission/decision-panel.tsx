import { Button, Radio, Stack, TextInput } from '@mantine/core'
import { IconCircleCheck, IconHelpCircle, IconRepeat } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import type { SubmissionDetails } from '../../src-shared/submission.ts'
import { Countdown } from '../parts/countdown.tsx'
import { runCall } from '../shell/run-call.ts'
import { tell } from '../shell/tell.tsx'
import { useSession } from '../store/use-station.ts'
import { signature } from '../who/initials.ts'
import { Cautions } from './cautions.tsx'
import { ConfirmDecision, type Decision } from './confirm-decision.tsx'
import css from './decision-panel.module.css'
import { deliveryPicture } from './delivery-picture.ts'
import { Evidence } from './evidence.tsx'
import { t } from '../words/t.ts'

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
      tell({ tone: 'green', message: t('submission:evidence.looking') })
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
        {t('submission:decision.title')}
      </h2>
      <p>{t(`submission:decision.explain.${why}`)}</p>
      <Cautions cautions={cautions} />
      <div className={css.columns}>
        <div className={css.known}>
          <h3>{t('submission:evidence.title')}</h3>
          <Evidence evidence={evidence} />
          <p className={css.next}>
            {notBefore !== null && (
              <Countdown
                until={notBefore}
                say={(left) => t('queue:nextLook', { left })}
                over={t('queue:looksByItself')}
              />
            )}
            <Button size="compact-sm" variant="default" onClick={() => void look()}>
              {t('submission:evidence.lookNow')}
            </Button>
          </p>
        </div>
        <div className={css.choice}>
          <h3>
            <IconCircleCheck size={18} aria-hidden />
            {t('submission:decision.there.title')}
          </h3>
          <p>{t('submission:decision.there.explain')}</p>
          <p>
            <strong>{t('submission:decision.risk')}</strong> {t('submission:decision.there.risk')}
          </p>
          <Stack gap={8} className={css.answer ?? ''}>
            {candidates.length > 0 && (
              <Radio.Group value={choice} onChange={setChoice} label={t('submission:decision.there.which')}>
                <Stack gap={6} mt={4}>
                  {candidates.map((caseId) => (
                    <Radio key={caseId} value={caseId} label={caseId} />
                  ))}
                  <Radio value={OTHER} label={t('submission:decision.there.other')} />
                </Stack>
              </Radio.Group>
            )}
            {isOther && (
              <TextInput
                label={t('submission:decision.there.id')}
                value={typed}
                maxLength={200}
                onChange={(event) => setTyped(event.currentTarget.value)}
              />
            )}
            {isMissing && <p className={css.problem}>{t('submission:decision.there.missing')}</p>}
            <Button variant="light" onClick={sayThere}>
              {t('submission:decision.there.action')}
            </Button>
          </Stack>
        </div>
        <div className={css.choice}>
          <h3>
            <IconRepeat size={18} aria-hidden />
            {t('submission:decision.absent.title')}
          </h3>
          <p>{t('submission:decision.absent.explain')}</p>
          <p>
            <strong>{t('submission:decision.risk')}</strong> {t('submission:decision.absent.shortRisk')}
          </p>
          <Button variant="light" color="red" onClick={() => setDecision({ delivered: false })}>
            {t('submission:decision.absent.action')}
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
