import { IconCircleCheck, IconCircleDashed, IconCircleX } from '@tabler/icons-react'
import type { CallOutput } from '../../src-shared/contract.ts'
import { FAILURE_TEXTS } from '../../src-shared/failure.ts'
import css from './settings-screen.module.css'
import { said } from '../words/said.ts'
import { t } from '../words/t.ts'

type TestResult = CallOutput<'service.test'>

const ICONS = { passed: IconCircleCheck, failed: IconCircleX, notTried: IconCircleDashed } as const

/** The three steps, each with its own tick: reached, signed in, centers read. */
export function ConnectionTest({ result }: { readonly result: TestResult }) {
  return (
    <ul role="list" className={css.tests}>
      {(['reachable', 'signedIn', 'centersListed'] as const).map((name) => {
        const step = result[name]
        const Sign = ICONS[step.kind]
        return (
          <li key={name} className={css.test} data-kind={step.kind} data-step={name}>
            <Sign size={20} aria-hidden />
            <span className={css.testText}>
              <span>
                <strong>{t(`settings:test.${name}`)}</strong>: {t(`settings:test.${step.kind}`)}
              </span>
              {step.kind === 'failed' && (
                <span>
                  {said(FAILURE_TEXTS[step.failure.kind].title)}. {said(step.failure.message)}
                  {step.failure.serviceSaid !== undefined && (
                    <>
                      {' '}
                      {t('part:serviceSaid')} <q>{step.failure.serviceSaid}</q>
                    </>
                  )}
                </span>
              )}
              {name === 'centersListed' && step.kind === 'passed' && (
                <span className="dim">
                  {result.centers.length === 0
                    ? t('settings:test.noCenters')
                    : result.centers.map(({ name: center, centerId }) => center ?? centerId).join(', ')}
                </span>
              )}
            </span>
          </li>
        )
      })}
    </ul>
  )
}
