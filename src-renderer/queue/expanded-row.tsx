/** The expanded row of the queue. */
import { EYES } from '../../src-shared/measurement-ranges.ts'
import type { Image, Submission } from '../../src-shared/submission.ts'
import { CopyAction, Fact, FailureNotice, SmallButton } from '../components/controls.tsx'
import { AttemptTimeline } from '../components/transfer.tsx'
import { EyeMark } from '../components/badges.tsx'
import { baseName, Photo } from '../components/photo.tsx'
import { formatExactly } from '../format/dates.ts'
import { formatBytes } from '../format/numbers.ts'
import { messageOf, t } from '../i18n/i18n.ts'
import { useNames } from '../privacy/names.tsx'
import { useAnswer } from '../store/use-station.ts'
import { reasonText } from './detail-cell.tsx'
import css from './expanded-row.module.css'

type ExpandedRowProps = { readonly submission: Submission; readonly centerName: string | null }

export function ExpandedRow({ submission, centerName }: ExpandedRowProps) {
  const { id, changedAt, images } = submission
  const names = useNames()
  const { value, failure, readAgain } = useAnswer('submissions.get', { id }, changedAt)
  const ordered = EYES.flatMap((eye) => images.filter((image) => image.eye === eye))
  return (
    <div className={css.parts}>
      <div role="group" className={css.images} aria-label={t('submission:images.title')}>
        <h2>{t('submission:images.title')}</h2>
        <ul role="list" className={css.tiles}>
          {ordered.map((image) => (
            <ImageTile key={image.id} image={image} submission={submission} />
          ))}
        </ul>
      </div>
      <div role="group" aria-label={t('submission:attempts.title')}>
        <h2>{t('submission:attempts.title')}</h2>
        {value ? (
          <AttemptTimeline
            attempts={value.attemptList}
            conceal={(text) => names.text(text, submission.fields)}
          />
        ) : failure ? (
          <FailureNotice failure={failure} tone="amber">
            <SmallButton mt={6} onClick={readAgain}>
              {t('shell:tryAgain')}
            </SmallButton>
          </FailureNotice>
        ) : (
          <p className="small dim" style={{ minHeight: `${submission.attempts * 44}px` }}>
            {t('shell:reading')}
          </p>
        )}
      </div>
      <Reasons submission={submission} centerName={centerName} />
    </div>
  )
}

function ImageTile({ image, submission }: { readonly image: Image; readonly submission: Submission }) {
  const names = useNames()
  const { eye, excludedBecause, twinOf } = image
  const path = names.fileName(image.fileName)
  return (
    <li className={css.tile} data-out={excludedBecause !== null || twinOf !== null}>
      <Photo image={image} className={css.photo} />
      <span className={css.tileText}>
        <EyeMark eye={eye} />
        <span className="truncate" title={path}>
          {baseName(path)}
        </span>
      </span>
      <span className="small dim breakable">
        {excludedBecause !== null
          ? t('submission:unusable.leftOut', { why: names.text(excludedBecause, submission.fields) })
          : twinOf !== null
            ? t('queue:expanded.twin')
            : formatBytes((image.sentAs ?? image).sizeBytes)}
      </span>
    </li>
  )
}

function Reasons({ submission, centerName }: ExpandedRowProps) {
  const names = useNames()
  const { reasons, oddities, failure, reference, caseId, addedAt, sentAt } = submission
  const because = failure && names.text(failure.serviceSaid ?? messageOf(failure), submission.fields)
  const reasonTexts = [...reasons, ...oddities].map((one) => reasonText(one, submission, names))
  const why = new Set(because === null ? reasonTexts : [because, ...reasonTexts])
  return (
    <div role="group" aria-label={t('submission:facts.title')}>
      <h2>{t('submission:facts.title')}</h2>
      {why.size > 0 && (
        <ul className={css.why}>
          {[...why].map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      )}
      <dl className="facts">
        <Fact name={t('submission:reference')} className={css.reference}>
          {reference} <CopyAction text={reference} />
        </Fact>
        {centerName !== null && <Fact name={t('queue:columns.center')}>{centerName}</Fact>}
        <Fact name={t('queue:columns.added')}>{formatExactly(addedAt)}</Fact>
        {sentAt !== null && <Fact name={t('state:sent.name')}>{formatExactly(sentAt)}</Fact>}
        {caseId !== null && <Fact name={t('queue:expanded.caseId')}>{caseId}</Fact>}
      </dl>
    </div>
  )
}
