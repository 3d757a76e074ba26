/** This case beside others: of the same visit, or of another person with the same number. A person compares and decides. */
import { Anchor, Button, Group, Stack } from '@mantine/core'
import { IconCopy, IconTrash, IconUserQuestion } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { Submission, SubmissionDetails } from '../../src-shared/submission.ts'
import { CaseBadge } from '../components/badges.tsx'
import { ActionButton, Fact } from '../components/controls.tsx'
import { boardImages, Photo } from '../components/photo.tsx'
import { formatCalendarDay, formatInstant } from '../format/dates.ts'
import { failureOfKind, joinTexts, messageOf, t } from '../i18n/i18n.ts'
import { useNames } from '../privacy/names.tsx'
import { runAction } from '../queue/actions.ts'
import { goTo, writeRoute } from '../shell/navigation.tsx'
import { showFailure, showToast } from '../shell/toast.tsx'
import { upsertSubmission } from '../store/store.ts'
import { useAnswer, useCall, useSession } from '../store/use-station.ts'
import { Block } from './field-input.tsx'
import { CHECK_ID, elementId, focusOn, useCase, WHOSE_ID } from './form.ts'
import photoCss from '../components/photo.module.css'
import css from './patients-question.module.css'
import { SamePatientButton } from './patients-question.tsx'

type ComparedCasesProps = {
  readonly labels: { readonly own: string; readonly other: string; readonly open: string }
  /** The references of the others. */
  readonly references: readonly string[]
  /** What may be answered of each; of a case that is not found, only the reference is known. */
  readonly renderAnswer?: (of: Pick<Submission, 'fields' | 'reference'>, isThis: boolean) => ReactNode
}

function ComparedCases({ labels, references, renderAnswer }: ComparedCasesProps) {
  const { details } = useCase()
  return (
    <div className={css.groups}>
      <ComparedCase label={labels.own} submission={details}>
        {renderAnswer?.(details, true)}
      </ComparedCase>
      {references.map((reference) => (
        <OtherCase key={reference} labels={labels} reference={reference} renderAnswer={renderAnswer} />
      ))}
    </div>
  )
}

type OtherCaseProps = Pick<ComparedCasesProps, 'labels'> & {
  readonly reference: string
  readonly renderAnswer: ComparedCasesProps['renderAnswer']
}

function OtherCase({ labels, reference, renderAnswer }: OtherCaseProps) {
  const { value, failure } = useAnswer('submissions.list', { search: reference, limit: 5 })
  const other = value?.items.find((one) => one.reference === reference)
  if (other)
    return (
      <ComparedCase label={labels.other} submission={other}>
        {renderAnswer?.(other, false)}
        <Anchor href={writeRoute({ screen: 'submission', id: other.id })} fw={600}>
          {labels.open}
        </Anchor>
      </ComparedCase>
    )
  const missing = failure ?? (value && failureOfKind('notFound'))
  return (
    <Stack
      component="article"
      gap={8}
      p={12}
      mih={210}
      className="quiet-panel"
      aria-label={`${labels.other} ${reference}`}
      aria-busy={!missing}
    >
      <h3>{labels.other}</h3>
      <p className="mono">{reference}</p>
      {missing && <p>{t('editor:twin.gone', { why: messageOf(missing) })}</p>}
      {renderAnswer?.({ fields: {}, reference }, false)}
    </Stack>
  )
}

const MAX_THUMBNAILS = 4

type ComparedCaseProps = {
  readonly label: string
  readonly submission: Submission
  readonly children: ReactNode
}

function ComparedCase({ label, submission, children }: ComparedCaseProps) {
  const { fields, reference, addedAt } = submission
  const names = useNames()
  const images = boardImages(submission.images)
  return (
    <Stack
      component="article"
      gap={8}
      p={12}
      mih={210}
      className="quiet-panel"
      aria-label={`${label} ${reference}`}
    >
      <Group component="h3" gap={8} justify="space-between">
        {label}
        <CaseBadge of={submission} />
      </Group>
      <div className={css.photos}>
        {images.slice(0, MAX_THUMBNAILS).map(({ image }) => (
          <Photo key={image.id} image={image} className={photoCss.whole} />
        ))}
      </div>
      <dl className="facts">
        <Fact name={t('submission:blocks.patient')}>{names.patientLabel(fields)}</Fact>
        <Fact name={t('queue:columns.visit')}>
          {joinTexts(
            fields.visit_date === undefined ? '\u2013' : formatCalendarDay(fields.visit_date),
            t('queue:images', { count: images.length }),
          )}
        </Fact>
        <Fact name={t('queue:columns.added')}>{formatInstant(addedAt)}</Fact>
        <Fact name={t('submission:reference')} className="mono">
          {reference}
        </Fact>
      </dl>
      {children}
    </Stack>
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

/** A case that may be a repetition, beside the one that it resembles. */
export function EarlierPanel() {
  const session = useSession()
  const { details } = useCase()
  const earlier = earlierCasesOf(details)
  if (earlier === null) return null
  const discard = async (): Promise<void> => {
    if (await runAction(session, 'discard', [details])) goTo({ screen: 'queue' })
  }
  const maySend = details.state === 'incomplete' || details.state === 'review'
  return (
    <Block
      id="earlier"
      tone="amber"
      icon={IconCopy}
      title={t('editor:twin.title')}
      explain={t(`editor:twin.${earlier.why}`)}
    >
      <ComparedCases
        labels={{
          own: t('delivery:compare.this'),
          other: t('editor:twin.earlier'),
          open: t('editor:twin.open'),
        }}
        references={earlier.references}
      />
      <Group gap={8} mt={12}>
        <ActionButton icon={IconTrash} onClick={() => void discard()}>
          {t('editor:twin.discard')}
        </ActionButton>
        {maySend && <span className="small dim">{t('editor:twin.sendRisk')}</span>}
      </Group>
    </Block>
  )
}

/** Not known yet: the question stays with both cases. */
function leaveOpen(): void {
  showToast({ message: t('proof:whose.unknownDone') })
  goTo({ screen: 'queue' })
}

type WhoseNumberProps = {
  readonly number: string
  /** Of the cases of the other people. */
  readonly references: readonly string[]
}

/** Two people have one number: their cases side by side, and a button for each whose number it may be. */
export function WhoseNumber({ number, references }: WhoseNumberProps) {
  const session = useSession()
  const { details, asShown, take } = useCase()
  const names = useNames()
  const { isBusy, call } = useCall(showFailure)
  const assign = async (isThis: boolean): Promise<void> => {
    const assigned = await call('submissions.assignNumber', { ...asShown(), number, isThis })
    if (!assigned) return
    for (const one of assigned.cases) upsertSubmission(session, one)
    const own = assigned.cases.find(({ id }) => id === details.id)
    if (own) take(own)
    focusOn(isThis ? CHECK_ID : elementId('field', 'history_number'))
  }
  return (
    <Block
      id={WHOSE_ID}
      tone="amber"
      icon={IconUserQuestion}
      title={t('proof:whose.title', { number })}
      explain={t('proof:whose.explain')}
    >
      <ComparedCases
        labels={{ own: t('proof:whose.own'), other: t('proof:whose.other'), open: t('shell:openIt') }}
        references={references}
        renderAnswer={({ fields, reference }, isThis) => (
          <Button variant="default" disabled={isBusy} onClick={() => void assign(isThis)}>
            {t('proof:whose.is', { number, who: names.nameOf(fields) ?? reference })}
          </Button>
        )}
      />
      <Group gap={8} mt={12}>
        <Button variant="subtle" onClick={leaveOpen}>
          {t('proof:whose.unknown')}
        </Button>
        <SamePatientButton />
      </Group>
    </Block>
  )
}
