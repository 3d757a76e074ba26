import { useState } from 'react'
import type { Attempt } from '../../src-shared/submission.ts'
import { AttemptTimeline } from '../parts/attempt-timeline.tsx'
import { t } from '../words/t.ts'
import { useFields } from './fields-context.ts'
import { RawAnswer } from './raw-answer.tsx'
import screen from './submission-screen.module.css'

/** Every try to deliver, with the answer of the service where one was kept. */
export function Attempts({ attempts }: { readonly attempts: readonly Attempt[] }) {
  const { conceal } = useFields()
  const [shown, setShown] = useState<Attempt | null>(null)
  return (
    <section className={screen.block} aria-labelledby="block-attempts">
      <h2 id="block-attempts" className={screen.blockTitle}>
        {t('submission:attempts.title')}
      </h2>
      <AttemptTimeline attempts={attempts} conceal={conceal} onShowAnswer={setShown} />
      <RawAnswer attempt={shown} onClose={() => setShown(null)} />
    </section>
  )
}
