import { IconAlertTriangle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { FAILURE_TEXTS, type Failure } from '../../src-shared/failure.ts'
import { formatBytes } from '../format/numbers.ts'
import { CopyAction } from './copy-action.tsx'
import css from './failure-notice.module.css'
import { said } from '../words/said.ts'
import { t } from '../words/t.ts'

export type FailureNoticeProps = {
  readonly failure: Failure
  readonly tone?: 'red' | 'amber'
  /** Buttons that help. */
  readonly children?: ReactNode
}

/** A failure in full: what happened, what it means and what to do, the service's own words, and a copy for support. */
export function FailureNotice({ failure, tone = 'red', children }: FailureNoticeProps) {
  const title = said(FAILURE_TEXTS[failure.kind].title)
  const message = said(failure.message)
  const facts = [
    failure.kind,
    ...(failure.status === undefined ? [] : [t('part:status', { status: failure.status })]),
    ...(failure.requestBytes === undefined
      ? []
      : [t('part:requestSize', { size: formatBytes(failure.requestBytes) })]),
  ].join(' \u00b7 ')
  return (
    <section className={css.notice} data-tone={tone}>
      <IconAlertTriangle size={20} className={css.icon} aria-hidden />
      <div className={css.text}>
        <strong>{title}</strong>
        <p>{message}</p>
        {failure.serviceSaid !== undefined && (
          <p className={css.said}>
            {t('part:serviceSaid')} <q>{failure.serviceSaid}</q>
          </p>
        )}
        <p className={css.facts}>
          <span className="tabular">{facts}</span>
          <CopyAction text={[title, message, failure.serviceSaid, facts].filter(Boolean).join('\n')} />
        </p>
        {children}
      </div>
    </section>
  )
}
