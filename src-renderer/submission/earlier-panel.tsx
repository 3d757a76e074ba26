import { Anchor, Button } from '@mantine/core'
import { IconCopy, IconSend, IconTrash } from '@tabler/icons-react'
import type { Submission, SubmissionDetails } from '../../src-shared/submission.ts'
import { formatCalendarDay, formatInstant } from '../format/instants.ts'
import { Photo } from '../parts/photo.tsx'
import { StateBadge } from '../parts/state-badge.tsx'
import { useNames } from '../privacy/use-names.ts'
import { runAction } from '../queue/run-action.ts'
import { goTo, writeRoute } from '../shell/routes.ts'
import { shownStateOf } from '../store/shown-state.ts'
import { useSession } from '../store/use-station.ts'
import { said } from '../words/said.ts'
import { t } from '../words/t.ts'
import { boardImages } from './board-images.ts'
import { earlierCasesOf } from './earlier-cases.ts'
import css from './earlier-panel.module.css'
import { useFields } from './fields-context.ts'
import type { Saving } from './use-saving.ts'
import { useEarlierCases, type EarlierCase } from './use-earlier-cases.ts'

export type EarlierPanelProps = {
  readonly details: SubmissionDetails
  readonly saving: Pick<Saving, 'saveAndSend' | 'isBusy'>
}

/** A case that may be sent a second time, beside the one that it resembles: a person compares and decides. */
export function EarlierPanel({ details, saving }: EarlierPanelProps) {
  const session = useSession()
  const { isFrozen } = useFields()
  const earlier = earlierCasesOf(details)
  const found = useEarlierCases(earlier?.references ?? [])
  if (earlier === null || isFrozen) return null
  const discard = async (): Promise<void> => {
    if (await runAction(session, 'discard', [details.id])) goTo({ screen: 'queue' })
  }
  const maySend = details.state === 'incomplete' || details.state === 'review'
  return (
    <section className={css.panel} aria-labelledby="earlier">
      <h2 id="earlier" className={css.title}>
        <IconCopy size={17} aria-hidden />
        {t('editor:twin.title')}
        <span>{t(`editor:twin.${earlier.why}`)}</span>
      </h2>
      <div className={css.cases}>
        <ComparedCase label={t('editor:twin.this')} submission={details} />
        {earlier.references.map((reference) => (
          <Earlier key={reference} reference={reference} earlier={found.get(reference)} />
        ))}
      </div>
      <div className={css.actions}>
        <Button
          variant="default"
          leftSection={<IconTrash size={16} aria-hidden />}
          onClick={() => void discard()}
        >
          {t('editor:twin.discard')}
        </Button>
        {maySend && (
          <>
            <Button
              variant="default"
              leftSection={<IconSend size={16} aria-hidden />}
              loading={saving.isBusy}
              onClick={() => void saving.saveAndSend()}
            >
              {t('editor:twin.sendAnyway')}
            </Button>
            <span className={css.risk}>{t('editor:twin.sendRisk')}</span>
          </>
        )}
      </div>
    </section>
  )
}

type EarlierProps = { readonly reference: string; readonly earlier: EarlierCase | undefined }

function Earlier({ reference, earlier }: EarlierProps) {
  if (earlier?.kind === 'read')
    return <ComparedCase label={t('editor:twin.earlier')} submission={earlier.submission} hasLink />
  return (
    <article
      className={css.side}
      aria-label={`${t('editor:twin.earlier')} ${reference}`}
      aria-busy={!earlier}
    >
      <h3 className={css.label}>{t('editor:twin.earlier')}</h3>
      <p className={css.reference}>{reference}</p>
      {earlier && <p>{t('editor:twin.gone', { why: said(earlier.failure.message) })}</p>}
    </article>
  )
}

type ComparedCaseProps = {
  readonly label: string
  readonly submission: Submission
  readonly hasLink?: boolean
}

const MAX_THUMBNAILS = 4

function ComparedCase({ label, submission, hasLink = false }: ComparedCaseProps) {
  const { id, fields, reference, addedAt } = submission
  const names = useNames()
  const images = boardImages(submission.images)
  return (
    <article className={css.side} aria-label={`${label} ${reference}`}>
      <h3 className={css.label}>
        {label}
        <StateBadge state={shownStateOf(submission)} />
      </h3>
      <div className={css.photos}>
        {images.slice(0, MAX_THUMBNAILS).map(({ image }) => (
          <Photo
            key={image.id}
            image={image}
            className={css.photo ?? ''}
            alt={t('part:photo', {
              eye: t(`field:eye.${image.eye}.name`),
              fileName: names.fileName(image.fileName.split('/').at(-1) ?? ''),
            })}
          />
        ))}
      </div>
      <dl className={css.facts}>
        <dt>{t('submission:blocks.patient')}</dt>
        <dd>{names.patientLabel(fields)}</dd>
        <dt>{t('editor:twin.visit')}</dt>
        <dd>
          {fields.visit_date === undefined ? '\u2013' : formatCalendarDay(fields.visit_date)}
          {` \u00b7 ${t('editor:twin.images', { count: images.length })}`}
        </dd>
        <dt>{t('editor:twin.added')}</dt>
        <dd>{formatInstant(addedAt)}</dd>
        <dt>{t('editor:twin.reference')}</dt>
        <dd className={css.reference}>{reference}</dd>
      </dl>
      {hasLink && (
        <Anchor href={writeRoute({ screen: 'submission', id })} fw={600}>
          {t('editor:twin.open')}
        </Anchor>
      )}
    </article>
  )
}
