/** The delivery attempts of a case as a timeline. */
import { Progress as Bar } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Attempt } from '../../src-shared/submission.ts'
import { useCenters } from '../decisions/center-choice.tsx'
import { formatClock, formatCountdown } from '../format/dates.ts'
import { formatBytes } from '../format/numbers.ts'
import { failureTitle, joinTexts, t } from '../i18n/i18n.ts'
import type { Progress } from '../store/state.ts'
import { useStationNow } from './browser.tsx'
import { Instant } from './controls.tsx'
import css from './timeline.module.css'

type TimelineEntryProps = {
  readonly at: number
  readonly title: string
  /** What its dot says by its colour. */
  readonly kind?: string
  readonly children?: ReactNode
}

/** Something that happened to a case. */
export function TimelineEntry({ at, title, kind, children }: TimelineEntryProps) {
  return (
    <li className={css.item} data-kind={kind}>
      <p className={css.line}>
        <strong>{title}</strong>
        <Instant at={at} />
      </p>
      {children}
    </li>
  )
}

type AttemptEntryProps = {
  readonly attempt: Attempt
  readonly conceal: (text: string) => string
  readonly children?: ReactNode
}

export function AttemptEntry({ attempt, conceal, children }: AttemptEntryProps) {
  const { number, outcome, failure, centerId, startedAt, handedOverBytes, requestBytes } = attempt
  const { nameOf } = useCenters()
  const facts = joinTexts(
    t('submission:attempts.bytes', { sent: formatBytes(handedOverBytes), all: formatBytes(requestBytes) }),
    centerId !== null && nameOf(centerId),
    failure?.status !== undefined && t('part:status', { status: failure.status }),
  )
  return (
    <TimelineEntry
      at={startedAt}
      kind={outcome ?? 'open'}
      title={joinTexts(
        t('submission:attempts.number', { number }),
        outcome === null ? t('submission:attempts.open') : t(`submission:outcome.${outcome}`),
      )}
    >
      {failure && (
        <p className="small dim breakable">
          {failureTitle(failure.kind)}
          {failure.serviceSaid !== undefined && (
            <>
              {'. '}
              {t('part:serviceSaid')} <q>{conceal(failure.serviceSaid)}</q>
            </>
          )}
        </p>
      )}
      <p className="small dim breakable tabular">{facts}</p>
      {children}
    </TimelineEntry>
  )
}

/** Were all bytes handed over? That is not "sent": only an answer with an id is. */
export function isFullyUploaded(progress: Progress | undefined): boolean {
  return (
    progress !== undefined && progress.requestBytes > 0 && progress.handedOverBytes >= progress.requestBytes
  )
}

/** The progress in bytes. Once all are handed over, it shows waiting, never completion. */
export function TransferBar({ progress }: { readonly progress: Progress | undefined }) {
  const { handedOverBytes = 0, requestBytes = 0 } = progress ?? {}
  const percent = requestBytes === 0 ? 0 : Math.floor((100 * handedOverBytes) / requestBytes)
  const isWaiting = isFullyUploaded(progress)
  return (
    <>
      <Bar.Root size={8} radius="xl" maw={520}>
        <Bar.Section
          value={percent}
          color="blue"
          animated={isWaiting}
          striped={isWaiting}
          aria-label={t('state:sending.name')}
        />
      </Bar.Root>
      <span className={css.bytes}>
        {progress === undefined || requestBytes === 0
          ? t('state:sending.meaning')
          : isWaiting
            ? t('queue:waitingForAnswer')
            : t('queue:sentPart', {
                sent: formatBytes(handedOverBytes),
                all: formatBytes(requestBytes),
                percent,
              })}
      </span>
    </>
  )
}

type StalledProps = {
  readonly since: number
  readonly format: (time: string, forHow: string) => string
  readonly className: string
}

/** Since when the peer has accepted nothing more; it counts on its own. */
export function Stalled({ since, format, className }: StalledProps) {
  const now = useStationNow()
  const [time, forHow] = [formatClock(since), formatCountdown(now - since)]
  return (
    <span className={`${className} tabular`} title={t('queue:stalled', { time, forHow })}>
      {format(time, forHow)}
    </span>
  )
}
