/** What a person looks at before a case is sent: what is missing or unusual, and similar earlier cases. */
import { Anchor, Group, UnstyledButton } from '@mantine/core'
import {
  IconArrowRight,
  IconCopy,
  IconInfoCircle,
  IconPencil,
  IconSend,
  IconTrash,
} from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { ActionButton } from '../components/controls.tsx'
import {
  isPending,
  type Reason,
  type Submission,
  type SubmissionDetails,
  type Warning,
} from '../../src-shared/submission.ts'
import { CaseBadge } from '../components/badges.tsx'
import { baseName, boardImages, eyeWithoutImage, Photo } from '../components/photo.tsx'
import { formatCalendarDay, formatInstant } from '../format/dates.ts'
import { failureOfKind, messageOf, t } from '../i18n/i18n.ts'
import { useNames } from '../privacy/names.tsx'
import { runAction } from '../queue/actions.ts'
import { reasonText } from '../queue/detail-cell.tsx'
import { goTo, writeRoute } from '../shell/navigation.tsx'
import { useAnswer, useSession } from '../store/use-station.ts'
import type { Saving } from './autosave.ts'
import earlierCss from './earlier-panel.module.css'
import questionCss from './patients-question.module.css'
import { elementId, focusField, focusOn, KNOWN_ID, useCase } from './form.ts'
import css from './missing-list.module.css'
import { ASKED_BY_GROUPS } from './patients-question.tsx'

/** Focuses the control that fixes a reason, or null if there is none. */
function focusActionFor(
  { kind, field, imageId, message }: Reason | Warning,
  { images, unusableFiles }: SubmissionDetails,
): (() => void) | null {
  if (kind === 'unusableImage' || kind === 'newExport') {
    const pending = unusableFiles.filter(isPending)
    const file = pending.find(({ fileName }) => message.includes(baseName(fileName))) ?? pending[0]
    return file === undefined ? null : () => focusOn(elementId('unusable', file.id))
  }
  if (field !== undefined) return () => focusField(field)
  if (kind === 'checkProposal' || kind === 'readFromNames') return () => focusOn(KNOWN_ID)
  if (imageId !== undefined) return () => focusOn(elementId('image', imageId))
  const eye = eyeWithoutImage(images)
  if ((kind === 'eyeImageMissing' || kind === 'eyeWithoutImage') && eye !== null)
    return () => focusOn(elementId('no-image', eye))
  return null
}

function JumpList({ items }: { readonly items: readonly (Reason | Warning)[] }) {
  const { details } = useCase()
  const names = useNames()
  /** The file names of images distinguish sentences about several of them. */
  const nameOf = (imageId: string): string | null => {
    const image = details.images.find((one) => one.id === imageId)
    return image ? baseName(image.fileName) : null
  }
  return (
    <ul role="list">
      {items.map((item) => {
        const jump = focusActionFor(item, details)
        const name = item.imageId === undefined ? null : nameOf(item.imageId)
        const text = (
          <span className="breakable">
            {reasonText(item, details, names)}
            {name !== null && !item.message.includes(name) && (
              <span className="dim">{` \u00b7 ${names.fileName(name)}`}</span>
            )}
          </span>
        )
        return (
          <li key={[item.kind, item.field, item.imageId, item.message].join('\n')}>
            {jump ? (
              <UnstyledButton className={css.reason} onClick={jump}>
                {text}
                <span className={css.jump}>
                  {t('submission:missing.jump')}
                  <IconArrowRight size={15} aria-hidden />
                </span>
              </UnstyledButton>
            ) : (
              <p className={css.reason}>{text}</p>
            )}
          </li>
        )
      })}
    </ul>
  )
}

/** `isPatientAsked`: it is asked above whose images these are. Until that is answered, no field can be right. */
export function MissingList({ isPatientAsked }: { readonly isPatientAsked: boolean }) {
  const { oddities, reasons: all } = useCase().details
  const reasons = isPatientAsked
    ? all.filter(({ kind, field }) => field === undefined && !ASKED_BY_GROUPS.includes(kind))
    : all.filter(({ kind }) => kind !== 'sharedNumber')
  return (
    <>
      {reasons.length > 0 && (
        <section className={css.panel} aria-labelledby="missing">
          <h2 id="missing" className={css.title}>
            <IconPencil size={17} aria-hidden />
            {t('submission:missing.title')}
          </h2>
          <JumpList items={reasons} />
        </section>
      )}
      {oddities.length > 0 && (
        <section className={css.quiet} aria-labelledby="unusual">
          <h2 id="unusual" className={css.quietTitle}>
            <IconInfoCircle size={16} aria-hidden />
            {t('submission:unusual.title')}
            <span>{t('submission:unusual.explain')}</span>
          </h2>
          <JumpList items={oddities} />
        </section>
      )}
    </>
  )
}

export type EarlierCases = {
  readonly why: 'sameImage' | 'sentBefore'
  readonly references: readonly string[]
}

/** More cases side by side are unreadable; the first ones are the ones named. */
const MAX_SHOWN = 3

/** A shared image matters more than a case of the same patient and day; null if there is neither. */
export function earlierCasesOf({
  reasons,
  oddities,
}: Pick<SubmissionDetails, 'reasons' | 'oddities'>): EarlierCases | null {
  const sameImage = named(reasons.filter(({ kind }) => kind === 'looksLikeDuplicate'))
  if (sameImage.length > 0) return { why: 'sameImage', references: sameImage }
  const sentBefore = named(oddities.filter(({ kind }) => kind === 'sentBefore'))
  return sentBefore.length > 0 ? { why: 'sentBefore', references: sentBefore } : null
}

function named(items: readonly { readonly references?: readonly string[] | undefined }[]): string[] {
  return [...new Set(items.flatMap(({ references = [] }) => references))].slice(0, MAX_SHOWN)
}

/** A case that may be a repetition, beside the one that it resembles: a person compares and decides. */
export function EarlierPanel({ saving }: { readonly saving: Pick<Saving, 'saveAndSend' | 'isBusy'> }) {
  const session = useSession()
  const { details, isFrozen } = useCase()
  const earlier = earlierCasesOf(details)
  if (earlier === null || isFrozen) return null
  const discard = async (): Promise<void> => {
    if (await runAction(session, 'discard', [details])) goTo({ screen: 'queue' })
  }
  const maySend = details.state === 'incomplete' || details.state === 'review'
  return (
    <section className={questionCss.panel} aria-labelledby="earlier">
      <h2 id="earlier" className={earlierCss.title}>
        <IconCopy size={17} aria-hidden />
        {t('editor:twin.title')}
        <span>{t(`editor:twin.${earlier.why}`)}</span>
      </h2>
      <div className={earlierCss.cases}>
        <ComparedCase label={t('delivery:compare.this')} submission={details} />
        {earlier.references.map((reference) => (
          <Earlier
            key={reference}
            label={t('editor:twin.earlier')}
            reference={reference}
            link={t('editor:twin.open')}
          />
        ))}
      </div>
      <Group gap={8} mt={12}>
        <ActionButton icon={IconTrash} onClick={() => void discard()}>
          {t('editor:twin.discard')}
        </ActionButton>
        {maySend && (
          <>
            <ActionButton icon={IconSend} loading={saving.isBusy} onClick={() => void saving.saveAndSend()}>
              {t('editor:twin.sendAnyway')}
            </ActionButton>
            <span className="small dim">{t('editor:twin.sendRisk')}</span>
          </>
        )}
      </Group>
    </section>
  )
}

type EarlierProps = {
  readonly label: string
  readonly reference: string
  /** The words of the link to it. */
  readonly link: string
  /** What may be answered of it; of a case that is not found, only the reference is known. */
  readonly renderAnswer?: (of: Pick<Submission, 'fields' | 'reference'>) => ReactNode
}

/** Another case that this one is compared with. */
export function Earlier({ label, reference, link, renderAnswer }: EarlierProps) {
  const { value, failure } = useAnswer('submissions.list', { search: reference, limit: 5 })
  const earlier = value?.items.find((one) => one.reference === reference)
  if (earlier)
    return (
      <ComparedCase label={label} submission={earlier} link={link}>
        {renderAnswer?.(earlier)}
      </ComparedCase>
    )
  const missing = failure ?? (value && failureOfKind('notFound'))
  return (
    <article className={earlierCss.column} aria-label={`${label} ${reference}`} aria-busy={!missing}>
      <h3 className={earlierCss.label}>{label}</h3>
      <p className="mono">{reference}</p>
      {missing && <p>{t('editor:twin.gone', { why: messageOf(missing) })}</p>}
      {renderAnswer?.({ fields: {}, reference })}
    </article>
  )
}

type ComparedCaseProps = {
  readonly label: string
  readonly submission: Submission
  /** The words of a link to it, if it is another case. */
  readonly link?: string
  /** What may be answered of it. */
  readonly children?: ReactNode
}

const MAX_THUMBNAILS = 4

export function ComparedCase({ label, submission, link, children }: ComparedCaseProps) {
  const { id, fields, reference, addedAt } = submission
  const names = useNames()
  const images = boardImages(submission.images)
  return (
    <article className={earlierCss.column} aria-label={`${label} ${reference}`}>
      <h3 className={earlierCss.label}>
        {label}
        <CaseBadge of={submission} />
      </h3>
      <div className={earlierCss.photos}>
        {images.slice(0, MAX_THUMBNAILS).map(({ image }) => (
          <Photo key={image.id} image={image} className={earlierCss.photo} />
        ))}
      </div>
      <dl className={earlierCss.facts}>
        <dt>{t('submission:blocks.patient')}</dt>
        <dd>{names.patientLabel(fields)}</dd>
        <dt>{t('queue:columns.visit')}</dt>
        <dd>
          {fields.visit_date === undefined ? '\u2013' : formatCalendarDay(fields.visit_date)}
          {` \u00b7 ${t('queue:images', { count: images.length })}`}
        </dd>
        <dt>{t('queue:columns.added')}</dt>
        <dd>{formatInstant(addedAt)}</dd>
        <dt>{t('submission:reference')}</dt>
        <dd className="mono">{reference}</dd>
      </dl>
      {children}
      {link !== undefined && (
        <Anchor href={writeRoute({ screen: 'submission', id })} fw={600}>
          {link}
        </Anchor>
      )}
    </article>
  )
}
