/** The case beside the list: its one question, what is known of it, and what may be done with it. */
import { Button, Group, Kbd } from '@mantine/core'
import { type Icon, IconArrowDown, IconCornerDownLeft } from '@tabler/icons-react'
import { useEffect, useEffectEvent } from 'react'
import type { Failure } from '../../src-shared/failure.ts'
import {
  type Image,
  REASONS_SETTLED_BY_APPROVAL,
  type SubmissionDetails,
} from '../../src-shared/submission.ts'
import type { Proof } from '../../src-shared/proof.ts'
import type { ShownSettings } from '../../src-shared/settings.ts'
import { raisesQuestion, restsOnProposal } from '../../src-shared/verdict.ts'
import { CaseBadge } from '../components/badges.tsx'
import { CopyAction, FailureNotice } from '../components/controls.tsx'
import { isSent } from '../components/photo.tsx'
import { failureOfKind, t } from '../i18n/i18n.ts'
import { useNames } from '../privacy/names.tsx'
import { ReadyIn } from '../queue/row-reason.tsx'
import { writeRoute } from '../shell/navigation.tsx'
import { useStation } from '../store/use-station.ts'
import { hasUnseen, useSaving } from '../submission/autosave.ts'
import { CheckPanel } from '../submission/check.tsx'
import { useDraft } from '../submission/drafts.ts'
import { CaseContext, type OpenCase, useOpenCase, useSubmission } from '../submission/form.ts'
import { CaseQuestions, MoreActions } from '../submission/case-questions.tsx'
import { patientsQuestionOf } from '../submission/patients-question.tsx'
import { UnusableFiles } from '../submission/unusable-files.tsx'
import type { KnownEye, Offer } from './desk-state.ts'
import css from './desk.module.css'

/** What is on the screen of a case: the content that was read, and what may be done with it. */
export type ShownContent = { readonly id: string; readonly digest: string; readonly offer: Offer }

/** What a person may do with a case as it is shown. Pure. */
export function offerOf(
  details: Pick<SubmissionDetails, 'state' | 'images' | 'reasons' | 'verdict'>,
  { isPatientAsked, hasDraft }: { readonly isPatientAsked: boolean; readonly hasDraft: boolean },
): Offer {
  const { state, images, reasons, verdict } = details
  if (state === 'collecting') return { kind: 'close' }
  if ((state !== 'review' && state !== 'incomplete') || isPatientAsked || hasDraft) return { kind: 'nothing' }
  const asked = images.find((image) => image.eye === 'unknown' && isSent(image))
  if (asked) return { kind: 'eye', imageId: asked.id }
  const isSettled = reasons.every(({ kind }) => REASONS_SETTLED_BY_APPROVAL.includes(kind))
  if (!isSettled || raisesQuestion(verdict)) return { kind: 'nothing' }
  return { kind: 'approve', isProposal: restsOnProposal(verdict) }
}

/** How far the shown case may be approved; null if approval is not what it waits for. */
export type ApproveButton = 'loading' | 'ready' | 'approving' | null

/** What becomes of images of a case: their eyes, or why one is not sent. */
export type ImageChanges = {
  readonly id: string
  readonly images: readonly (Pick<Image, 'id'> & Partial<Pick<Image, 'eye' | 'excludedBecause'>>)[]
}

export type ShownCaseProps = {
  readonly id: string
  readonly approveButton: ApproveButton
  /** Why the last act on this case came to nothing. */
  readonly failure: Failure | null
  /** What must be read before Enter works again. */
  readonly notice: 'changed' | 'oneEyeTwice' | null
  /** A change to make, which this part does: it knows all that is stated of the case. */
  readonly change: ImageChanges | null
  readonly onShown: (content: ShownContent | null) => void
  readonly onChange: (changes: ImageChanges) => void
  readonly onActed: (id: string, digest: string | null) => void
  readonly onAcknowledge: () => void
  readonly onClick: (
    on: 'approve' | KnownEye,
    event: { readonly timeStamp: number; readonly detail: number },
  ) => void
  readonly onSkip: () => void
}

export function ShownCase(props: ShownCaseProps) {
  const { id } = props
  const { details, proof, failure, isReading, take } = useSubmission(id)
  const settings = useStation((station) => station.settings)
  if (failure && details?.id !== id) return <FailureNotice failure={failure} />
  // The answer may still be that of the case before; without the clinic's units a value would be read wrongly.
  if (!details || details.id !== id || !proof || !settings) return null
  if (details.unreadable !== undefined)
    return (
      <>
        <Group gap={6}>
          <h2>{details.reference}</h2>
          <CopyAction text={details.reference} />
        </Group>
        <FailureNotice failure={failureOfKind('caseUnreadable')} />
      </>
    )
  return (
    <ReadCase
      {...props}
      details={details}
      proof={proof}
      settings={settings}
      isReading={isReading}
      take={take}
    />
  )
}

type ReadCaseProps = ShownCaseProps & {
  readonly details: SubmissionDetails
  readonly proof: Proof
  readonly settings: ShownSettings
  readonly isReading: boolean
  readonly take: (changed: SubmissionDetails) => void
}

function ReadCase(props: ReadCaseProps) {
  const { details, proof, settings, isReading, take, onShown } = props
  const open = useOpenCase(details, proof, settings, take)
  const saving = useSaving(open)
  const { draft } = useDraft(details.id)
  const question = open.isFrozen ? null : patientsQuestionOf(details, proof)
  const isPatientAsked = question !== null || details.reasons.some(({ kind }) => kind === 'sharedNumber')
  const offer = offerOf(details, { isPatientAsked, hasDraft: Object.keys(draft).length > 0 })
  const shown = JSON.stringify({ id: details.id, digest: details.digest, offer })
  useEffect(() => {
    onShown(isReading ? null : (JSON.parse(shown) as ShownContent))
    return () => onShown(null)
  }, [shown, isReading, onShown])
  useChange(open, props)
  const { state } = details
  const canSend = state === 'held' || state === 'refused'
  return (
    <CaseContext value={open}>
      <Heading details={details} />
      <div className={css.facts}>
        <Notice {...props} />
        {state === 'collecting' && (
          <p className={css.notice} data-tone="grey">
            <ReadyIn at={details.notBefore} />
          </p>
        )}
        {offer.kind === 'eye' && <EyeQuestion details={details} onClick={props.onClick} />}
        <CaseQuestions saving={saving} question={question} />
        <UnusableFiles />
        <CheckPanel
          isReading={isReading}
          askedAbove={offer.kind === 'eye' ? 'eye' : question === null ? null : 'patient'}
        />
      </div>
      <div className={css.bar}>
        {(offer.kind === 'approve' || offer.kind === 'close') && (
          <Button
            size="md"
            aria-disabled={props.approveButton !== 'ready'}
            data-ready={props.approveButton === 'ready'}
            className={css.approve ?? ''}
            onClick={(event) => props.onClick('approve', event)}
          >
            {offer.kind === 'close' && props.approveButton === 'ready'
              ? t('desk:close')
              : t(`desk:approve.${props.approveButton ?? 'loading'}`)}{' '}
            <Key icon={IconCornerDownLeft} />
          </Button>
        )}
        {canSend && (
          <Button
            variant="default"
            size="md"
            loading={saving.isBusy}
            onClick={() => void saving.saveAndSend()}
          >
            {t(`submission:send.${state}`)}
          </Button>
        )}
        <Button variant="default" size="md" onClick={props.onSkip}>
          {t('desk:skip')} <Key icon={IconArrowDown} />
        </Button>
        <Button
          component="a"
          variant="default"
          size="md"
          href={writeRoute({ screen: 'submission', id: details.id })}
        >
          {t(open.isFrozen ? 'desk:details' : 'desk:edit')} <Key name="E" />
        </Button>
        {offer.kind === 'approve' && <SwapEyes details={details} onChange={props.onChange} />}
        <span className="grow" />
        <MoreActions hasSend={offer.kind !== 'nothing' || canSend} saving={saving} />
      </div>
    </CaseContext>
  )
}

type KeyProps = { readonly icon: Icon } | { readonly name: string }

/** The key that does what a button does. Some system fonts lack the signs, so they are drawn. */
function Key(props: KeyProps) {
  return (
    <Kbd className={css.key ?? ''} aria-hidden>
      {'icon' in props ? <props.icon size={13} /> : props.name}
    </Kbd>
  )
}

function Heading({ details }: { readonly details: SubmissionDetails }) {
  const names = useNames()
  const { fields, reference } = details
  return (
    <div className={css.heading}>
      <h2 className="truncate">
        <bdi className={css.number}>{fields.history_number ?? t('queue:noHistoryNumber')}</bdi>{' '}
        <bdi>{names.nameOf(fields) ?? t('queue:noName')}</bdi>
      </h2>
      {details.state !== 'review' && details.state !== 'incomplete' && <CaseBadge of={details} size="md" />}
      <span className="grow" />
      <span className="mono dim" title={t('submission:reference')}>
        {reference}
      </span>
    </div>
  )
}

function Notice({
  failure,
  notice,
  onAcknowledge,
}: Pick<ShownCaseProps, 'failure' | 'notice' | 'onAcknowledge'>) {
  if (failure !== null) return <FailureNotice failure={failure} />
  if (notice === null) return null
  return (
    <div className={css.notice} data-tone="amber" role="alert">
      <strong>{t(`desk:notice.${notice}.title`)}</strong>
      <Button size="compact-sm" variant="default" onClick={onAcknowledge}>
        {t(`desk:notice.${notice}.action`)}
      </Button>
    </div>
  )
}

const EYES_ASKED = [
  { eye: 'right', key: '1' },
  { eye: 'left', key: '2' },
] as const

function EyeQuestion({ details, onClick }: Pick<ReadCaseProps, 'details' | 'onClick'>) {
  const sent = details.images.filter(isSent)
  const unknown = sent.filter(({ eye }) => eye === 'unknown').length
  return (
    <div className={css.question} role="group" aria-label={t('desk:whichEye')}>
      <strong>{t('desk:whichEye')}</strong>
      <span className="dim tabular">
        {t('desk:imageOf', { number: sent.length - unknown + 1, count: sent.length })}
      </span>
      {EYES_ASKED.map(({ eye, key }) => (
        <Button key={eye} variant="default" size="md" onClick={(event) => onClick(eye, event)}>
          {t(`field:eye.${eye}.full`)} <Key name={key} />
        </Button>
      ))}
    </div>
  )
}

/** Changes images as a person has chosen, and says what content followed from that alone. */
function useChange(open: OpenCase, { change, onActed }: Pick<ShownCaseProps, 'change' | 'onActed'>): void {
  const { details } = open
  const run = useEffectEvent(async ({ id, images }: ImageChanges): Promise<void> => {
    const changed = await open.change({ images: [...images] })
    const wanted = new Map(images.map((image) => [image.id, image]))
    const expected = {
      ...details,
      images: details.images.map((image) => ({ ...image, ...wanted.get(image.id) })),
    }
    onActed(id, changed !== null && !hasUnseen(expected, changed, []) ? changed.digest : null)
  })
  useEffect(() => {
    if (change !== null) void run(change)
  }, [change])
}

const OTHER_EYE = { right: 'left', left: 'right', unknown: 'unknown' } as const

/** One act if a camera was set to the wrong eye throughout. */
function SwapEyes({ details, onChange }: Pick<ReadCaseProps, 'details' | 'onChange'>) {
  const sent = details.images.filter(isSent)
  const swap = (): void =>
    onChange({ id: details.id, images: sent.map(({ id, eye }) => ({ id, eye: OTHER_EYE[eye] })) })
  if (new Set(sent.map(({ eye }) => eye)).size < 2) return null
  return (
    <Button variant="default" size="md" onClick={swap}>
      {t('desk:swapEyes')}
    </Button>
  )
}
