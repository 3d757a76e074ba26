/** Failures, cautions, empty states, and small controls of lists. */
import { Loader } from '@mantine/core'
import { type Icon, IconAlertTriangle, IconFilterOff } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { ActionButton } from './controls.tsx'
import type { Failure } from '../../src-shared/failure.ts'
import { formatCountdown } from '../format/dates.ts'
import { formatBytes } from '../format/numbers.ts'
import { failureTitle, joinTexts, messageOf, t } from '../i18n/i18n.ts'
import { CopyAction, useStationNow } from './browser.tsx'
import css from './notices.module.css'

type FailureNoticeProps = {
  readonly failure: Failure
  readonly tone?: 'red' | 'amber'
  readonly children?: ReactNode
}

/** A failure in full: what happened, what it means, what to do, the service's own message, and a copy for support. */
export function FailureNotice({ failure, tone = 'red', children }: FailureNoticeProps) {
  const title = failureTitle(failure.kind)
  const message = messageOf(failure)
  const { kind, status, requestBytes } = failure
  const facts = joinTexts(
    kind,
    status !== undefined && t('part:status', { status }),
    requestBytes !== undefined && t('part:requestSize', { size: formatBytes(requestBytes) }),
  )
  return (
    <section className={css.notice} data-tone={tone}>
      <IconAlertTriangle size={20} className={css.icon} aria-hidden />
      <div className={css.text}>
        <strong>{title}</strong>
        <p>{message}</p>
        {failure.serviceSaid !== undefined && (
          <p className={css.quote}>
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

type NotReadProps = { readonly failure: Failure | null; readonly label: string }

/** In place of a value that is not there: why it cannot be read, or that it is being read. */
export function NotRead({ failure, label }: NotReadProps) {
  if (failure) return <FailureNotice failure={failure} tone="amber" />
  return <Loader display="block" m="28px auto" aria-label={label} />
}

/** A sentence that a person must read before continuing. */
export function Caution({ children }: { readonly children: ReactNode }) {
  return (
    <p className={css.caution}>
      <IconAlertTriangle size={18} aria-hidden />
      <span>{children}</span>
    </p>
  )
}

type EmptyStateProps = {
  readonly icon: Icon
  readonly title: string
  readonly body: string
  /** If it replaces a whole screen, its title is the title of the screen. */
  readonly isScreen?: boolean
  readonly children?: ReactNode
}

export function EmptyState({ icon: Sign, title, body, isScreen = false, children }: EmptyStateProps) {
  return (
    <div className={css.empty}>
      <span className={css.sign}>
        <Sign size={28} stroke={1.6} aria-hidden />
      </span>
      {isScreen ? <h1>{title}</h1> : <strong>{title}</strong>}
      <p>{body}</p>
      {children}
    </div>
  )
}

type ClearFiltersProps = {
  readonly isFiltered: boolean
  readonly onClear: () => void
}

/** Clears the filters of a list. It stays in place when disabled, so that the filters beside it do not move. */
export function ClearFilters({ isFiltered, onClear }: ClearFiltersProps) {
  return (
    <ActionButton variant="subtle" color="gray" icon={IconFilterOff} disabled={!isFiltered} onClick={onClear}>
      {t('shell:clearFilters')}
    </ActionButton>
  )
}

type CountdownProps = {
  readonly until: number
  readonly format: (left: string) => string
  readonly elapsedText: string
}

export function Countdown({ until, format, elapsedText }: CountdownProps) {
  const left = until - useStationNow()
  return <span className="tabular">{left > 0 ? format(formatCountdown(left)) : elapsedText}</span>
}
