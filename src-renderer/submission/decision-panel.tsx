import { Button } from '@mantine/core'
import { IconHelpCircle, IconRepeat } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import type { SubmissionDetails } from '../../src-shared/submission.ts'
import { Countdown } from '../parts/countdown.tsx'
import { runCall } from '../shell/run-call.ts'
import { showToast } from '../shell/tell.tsx'
import { useSession } from '../store/use-station.ts'
import { currentSignature } from '../who/initials.ts'
import { t } from '../words/t.ts'
import { Cautions } from './cautions.tsx'
import { ConfirmDecision, type Decision } from './confirm-decision.tsx'
import css from './decision-panel.module.css'
import { summarizeDelivery } from './delivery-picture.ts'
import { Evidence } from './evidence.tsx'
import { SentFacts } from './sent-facts.tsx'
import { CandidateChoice } from './there-choice.tsx'
import { useCandidates } from './use-candidates.ts'

export type DecisionPanelProps = {
  readonly details: SubmissionDetails
  readonly onDecided: (details: SubmissionDetails) => void
}

/** What is known about a delivery without a clear answer, and the two things that a person may say about it. */
export function DecisionPanel({ details, onDecided }: DecisionPanelProps) {
  const session = useSession()
  const { evidence, notBefore } = details
  const { why, candidates: found, cautions } = useMemo(() => summarizeDelivery(evidence), [evidence])
  const candidates = useCandidates(details, found)
  const [decision, setDecision] = useState<Decision | null>(null)
  // Trying again what may have arrived never sends it: the station looks for it.
  const checkService = async (): Promise<void> => {
    if (await runCall(session, 'submissions.retry', { ids: [details.id], ...currentSignature() }))
      showToast({ tone: 'green', message: t('submission:evidence.looking') })
  }
  return (
    <section className={css.panel} aria-labelledby="decision">
      <h2 id="decision" className={css.title}>
        <IconHelpCircle size={20} aria-hidden />
        {t('submission:decision.title')}
      </h2>
      <p>{t(`submission:decision.explain.${why}`)}</p>
      <Cautions cautions={cautions} />
      <div className={css.known}>
        <div>
          <h3>{t('delivery:sent.title')}</h3>
          <SentFacts details={details} />
        </div>
        <div>
          <h3>{t('delivery:looks')}</h3>
          <Evidence evidence={evidence} />
          <p className={css.next}>
            {notBefore !== null && (
              <Countdown
                until={notBefore}
                format={(left) => t('queue:nextLook', { left })}
                elapsedText={t('queue:looksByItself')}
              />
            )}
            <Button size="compact-sm" variant="default" onClick={() => void checkService()}>
              {t('submission:evidence.lookNow')}
            </Button>
          </p>
        </div>
      </div>
      <div className={css.choices}>
        <CandidateChoice
          candidates={candidates}
          onChoose={(caseId) => setDecision({ delivered: true, caseId })}
        />
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
        candidates={candidates.items}
        onClose={() => setDecision(null)}
        onDecided={onDecided}
      />
    </section>
  )
}
