/** The second line of a row: why a case waits, when it continues, how far it is. */
import { IconFileText } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { Failure } from '../../src-shared/failure.ts'
import { EYES } from '../../src-shared/measurement-ranges.ts'
import {
  isPending,
  type Reason,
  type Submission,
  type UnusableFile,
  type Warning,
} from '../../src-shared/submission.ts'
import type { WordingKey } from '../../src-shared/wording.ts'
import { Countdown } from '../components/controls.tsx'
import { baseName, isSent } from '../components/photo.tsx'
import { Stalled, TransferBar } from '../components/transfer.tsx'
import { failureTitle, joinTexts, messageOf, t } from '../i18n/i18n.ts'
import { type Names, useNames } from '../privacy/names.tsx'
import type { StationState } from '../store/state.ts'
import { useStation } from '../store/use-station.ts'

/** Quotes a word of a name that the patient's own name does not have. */
const QUOTES_TERM: WordingKey = 'intake:warning.proposal.unknownTerm'

/** A message about a name quotes its sources; while names are hidden it only says that there is a reason. */
export function reasonText(
  reason: Reason | Warning,
  { fields, images, unusableFiles }: Pick<Submission, 'fields' | 'images' | 'unusableFiles'>,
  names: Names,
): string {
  const isAboutName =
    reason.field === 'first_name' ||
    reason.field === 'last_name' ||
    reason.kind === 'identityConflict' ||
    reason.kind === 'twoPatients' ||
    reason.kind === 'sharedNumber' ||
    reason.wording?.key === QUOTES_TERM
  if (!names.areHidden) return messageOf(reason)
  if (isAboutName) return t('privacy:reason')
  const files = [...images, ...unusableFiles].flatMap(({ fileName }) => [fileName, baseName(fileName)])
  const text = files.reduce((all, file) => all.replaceAll(file, names.fileName(file)), messageOf(reason))
  return names.text(text, fields)
}

/** One line, so that no row changes its height. */
export function RowReason({ submission }: { readonly submission: Submission }) {
  const { id, state, unreadable, unusableFiles, failure } = submission
  const names = useNames()
  const progress = useStation((station) => (state === 'sending' ? station.progress[id] : undefined))
  const stop = useStation((station) => (state === 'waiting' ? stopOf(station, failure) : null))
  const stalledSince = progress?.stalledSince ?? null
  if (unreadable !== undefined) return <Line text={t('queue:unreadableWhy', { column: unreadable })} />
  if (stalledSince !== null)
    return (
      <Stalled
        since={stalledSince}
        format={(time, forHow) => t('queue:stalledShortly', { time, forHow })}
        className="amber truncate"
      />
    )
  if (state === 'sending') return <TransferBar progress={progress} />
  const unusable = unusableFiles.filter(isPending)
  const isOpen = state === 'incomplete' || state === 'review' || state === 'collecting'
  if (isOpen && unusable.length > 0) return <Line text={unusableText(unusable, names)} />
  return reasonOf(submission, names, stop)
}

/** When no more images are waited for, and a person may check the case. */
export function ReadyIn({ at }: { readonly at: number | null }) {
  if (at === null) return <Line text={t('queue:collecting')} />
  return (
    <Countdown
      until={at}
      format={(left) => t('queue:readyIn', { left })}
      elapsedText={t('queue:collecting')}
    />
  )
}

/** When the station looks an unconfirmed case up. */
export function NextCheck({ at }: { readonly at: number | null }) {
  if (at === null) return null
  return (
    <Countdown
      until={at}
      format={(left) => t('queue:nextLook', { left })}
      elapsedText={t('queue:looksByItself')}
    />
  )
}

/** Why nothing is sent now, with the words of the banner; null if cases leave, or this one has a failure of its own. */
function stopOf({ status }: Pick<StationState, 'status'>, failure: Failure | null): string | null {
  if (status?.mode.kind === 'paused') {
    const { why } = status.mode
    if (why === 'person') return t('shell:banner.paused.title')
    return why === 'safeMode' ? t('shell:banner.safeMode.title') : failureTitle(why)
  }
  const trouble = status?.service.health === 'trouble' ? status.service.failure : null
  return trouble === null || failure !== null ? null : failureTitle(trouble.kind)
}

function reasonOf(submission: Submission, names: Names, stop: string | null): ReactNode {
  const { state, failure, reasons, oddities, notBefore, caseId, confirmedAt, hasReport } = submission
  switch (state) {
    case 'sending':
      return null
    case 'incomplete': {
      const [first, ...others] = reasons
      return (
        <Line
          text={first === undefined ? t('state:incomplete.meaning') : reasonText(first, submission, names)}
        >
          {others.length > 0 && <span className="dim"> {t('shell:andMore', { count: others.length })}</span>}
        </Line>
      )
    }
    case 'waiting':
      if (stop !== null) return <Line text={stop} />
      if (failure === null && notBefore === null) return <Line text={t('queue:waitingInLine')} />
      return (
        <Line text={failure === null ? '' : `${failureTitle(failure.kind)}. `}>
          {notBefore !== null && (
            <Countdown
              until={notBefore}
              format={(left) => t('queue:nextTry', { left })}
              elapsedText={t('queue:tryingSoon')}
            />
          )}
        </Line>
      )
    case 'unconfirmed':
      return (
        <Line text={`${t('queue:unsure')} `}>
          <NextCheck at={notBefore} />
        </Line>
      )
    case 'refused':
      return failure === null ? (
        <Line text={t('state:refused.meaning')} />
      ) : (
        <Line
          text={names.text(failure.serviceSaid ?? messageOf(failure), submission.fields)}
          isStrong={failureTitle(failure.kind)}
        />
      )
    case 'sent':
      return (
        <Line text={caseId === null ? '' : t('queue:caseId', { id: caseId })}>
          {hasReport ? (
            <strong>
              {' \u00b7 '}
              <IconFileText size={14} aria-hidden style={{ verticalAlign: '-2px' }} />{' '}
              {t('queue:reportReady')}
            </strong>
          ) : (
            confirmedAt !== null && <span className="dim"> {` \u00b7 ${t('queue:confirmed')}`}</span>
          )}
        </Line>
      )
    case 'collecting':
      return <ReadyIn at={notBefore} />
    case 'review':
    case 'held':
    case 'discarded': {
      if (submission.erasedAt !== null) return null
      const [reason] = state === 'review' ? [...reasons, ...oddities] : []
      if (reason !== undefined) return <Line text={reasonText(reason, submission, names)} />
      if (failure !== null) return <Line text={failureTitle(failure.kind)} />
      const missing = EYES.filter((eye) => eye !== 'unknown' && submission.noImageBecause[eye] !== undefined)
      return (
        <Line
          text={joinTexts(
            t('queue:images', { count: submission.images.filter(isSent).length }),
            ...missing.map((eye) => t('desk:noImage', { eye: t(`field:eye.${eye}.within`) })),
          )}
        />
      )
    }
  }
}

type LineProps = { readonly text: string; readonly isStrong?: string; readonly children?: ReactNode }

function Line({ text, isStrong, children }: LineProps) {
  return (
    <span className="truncate" title={[isStrong, text].filter(Boolean).join('. ')}>
      {isStrong !== undefined && <strong>{isStrong}. </strong>}
      {text}
      {children}
    </span>
  )
}

/** The name of the file, because the sentence before it may be cut off. */
function unusableText([file, ...others]: readonly UnusableFile[], names: Names): string {
  return file !== undefined && others.length === 0
    ? t('queue:unusableFile', { file: names.fileName(baseName(file.fileName)) })
    : t('queue:unusableFiles', { count: others.length + 1 })
}
