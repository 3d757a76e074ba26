/** The detail column of the queue: why a case waits, when it continues, how far it is. */
import { IconFileText } from '@tabler/icons-react'
import type { ReactNode } from 'react'
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
import { failureTitle, messageOf, t } from '../i18n/i18n.ts'
import { type Names, useNames } from '../privacy/names.tsx'
import { useStation } from '../store/use-station.ts'
import css from '../components/case-table.module.css'

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

type QueueDetailProps = { readonly submission: Submission; readonly centerName: string | null }

export function QueueDetail(props: QueueDetailProps) {
  const { id, state, unreadable } = props.submission
  const names = useNames()
  const progress = useStation((station) => (state === 'sending' ? station.progress[id] : undefined))
  const stalledSince = progress?.stalledSince ?? null
  if (unreadable !== undefined) return <Detail text={t('queue:unreadableWhy', { column: unreadable })} />
  return (
    <>
      {state === 'sending' ? <TransferBar progress={progress} /> : detailOf(props.submission, names)}
      {/* In one place, so that the rows below do not move. */}
      {stalledSince === null ? (
        <Counts {...props} />
      ) : (
        <Stalled
          since={stalledSince}
          format={(time, forHow) => t('queue:stalledShortly', { time, forHow })}
          className={css.flag ?? ''}
        />
      )}
    </>
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

function detailOf(submission: Submission, names: Names): ReactNode {
  const { state, failure, reasons, notBefore, caseId, confirmedAt, hasReport } = submission
  switch (state) {
    case 'sending':
      return null
    case 'incomplete': {
      const [first, ...others] = reasons
      return (
        <Detail
          text={first === undefined ? t('state:incomplete.meaning') : reasonText(first, submission, names)}
        >
          {others.length > 0 && <span className="dim"> {t('shell:andMore', { count: others.length })}</span>}
        </Detail>
      )
    }
    case 'waiting':
      if (failure === null && notBefore === null) return <Detail text={t('queue:waitingInLine')} />
      return (
        <Detail text={failure === null ? '' : `${failureTitle(failure.kind)}. `}>
          {notBefore !== null && (
            <Countdown
              until={notBefore}
              format={(left) => t('queue:nextTry', { left })}
              elapsedText={t('queue:tryingSoon')}
            />
          )}
        </Detail>
      )
    case 'unconfirmed':
      return (
        <Detail text={`${t('queue:unsure')} `}>
          <NextCheck at={notBefore} />
        </Detail>
      )
    case 'refused':
      return failure === null ? (
        <Detail text={t('state:refused.meaning')} />
      ) : (
        <Detail
          text={names.text(failure.serviceSaid ?? messageOf(failure), submission.fields)}
          isStrong={failureTitle(failure.kind)}
        />
      )
    case 'sent':
      return (
        <Detail text={caseId === null ? '' : t('queue:caseId', { id: caseId })}>
          {hasReport ? (
            <strong>
              {' \u00b7 '}
              <IconFileText size={14} aria-hidden style={{ verticalAlign: '-2px' }} />{' '}
              {t('queue:reportReady')}
            </strong>
          ) : (
            confirmedAt !== null && <span className="dim"> {` \u00b7 ${t('queue:confirmed')}`}</span>
          )}
        </Detail>
      )
    case 'collecting':
      return <Detail text={t('queue:collecting')} />
    case 'review':
    case 'held':
    case 'discarded': {
      const [reason] = state === 'review' ? reasons : []
      if (reason !== undefined) return <Detail text={reasonText(reason, submission, names)} />
      return failure === null ? null : <Detail text={failureTitle(failure.kind)} />
    }
  }
}

type DetailProps = { readonly text: string; readonly isStrong?: string; readonly children?: ReactNode }

function Detail({ text, isStrong, children }: DetailProps) {
  return (
    <span className={css.what} title={[isStrong, text].filter(Boolean).join('. ')}>
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

function Counts({ submission: { images, unusableFiles }, centerName }: QueueDetailProps) {
  const photographs = images.filter((image) => image.twinOf === null)
  const sent = images.filter(isSent)
  const excluded = photographs.length - sent.length
  const names = useNames()
  const unusable = unusableFiles.filter(isPending)
  const unassigned = sent.filter((image) => image.eye === 'unknown').length
  return (
    <span className={css.counts}>
      {/* First, because narrow rows cut off the end. */}
      {unusable.length > 0 && <span className={css.flag}>{`${unusableText(unusable, names)} \u00b7 `}</span>}
      {unassigned > 0 && (
        <span className={css.flag}>{`${t('queue:unassigned', { count: unassigned })} \u00b7 `}</span>
      )}
      {t('queue:images', { count: sent.length })}
      {excluded > 0 && ` \u00b7 ${t('queue:excluded', { count: excluded })}`}
      {centerName !== null && ` \u00b7 ${centerName}`}
    </span>
  )
}
