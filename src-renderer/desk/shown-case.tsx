/** The case beside the list: its one question, what is known of it, and what may be done with it. */
import { Button, Kbd } from '@mantine/core'
import { type Icon, IconArrowDown, IconCornerDownLeft } from '@tabler/icons-react'
import { type RefObject, useEffect, useImperativeHandle } from 'react'
import type { Fields } from '../../src-shared/fields.ts'
import type { Failure } from '../../src-shared/failure.ts'
import { nearMarks } from '../../src-shared/near-numbers.ts'
import {
  type Image,
  REASONS_SETTLED_BY_APPROVAL,
  type SubmissionDetails,
} from '../../src-shared/submission.ts'
import { raisesQuestion, restsOnProposal } from '../../src-shared/verdict.ts'
import { FailureNotice, SmallButton } from '../components/controls.tsx'
import { isSent } from '../components/photo.tsx'
import { joinTexts, t } from '../i18n/i18n.ts'
import { useNames } from '../privacy/names.tsx'
import { ReadyIn } from '../queue/row-reason.tsx'
import { goTo, writeRoute } from '../shell/navigation.tsx'
import { useHasOpenFiles } from '../submission/add-images.tsx'
import { hasUnseen, useSaving } from '../submission/autosave.ts'
import { CheckPanel } from '../submission/check.tsx'
import { useDraft } from '../submission/drafts.ts'
import { type OpenCase, useCase } from '../submission/form.ts'
import { CaseQuestions, MoreActions } from '../submission/case-questions.tsx'
import { CaseHeading, type CaseReading, OpenedCase } from '../submission/opened-case.tsx'
import { UnusableFiles } from '../submission/unusable-files.tsx'
import type { Change, DeskNotice, KnownEye, Offer } from './desk-state.ts'
import css from './desk.module.css'

/** What is on the screen of a case: the content that was read, and what may be done with it. */
export type ShownContent = {
  readonly id: string
  readonly digest: string
  readonly offer: Offer
  readonly details: SubmissionDetails
}

/** What a person may do with a case as it is shown. Pure. */
export function offerOf(
  details: Pick<SubmissionDetails, 'state' | 'images' | 'reasons' | 'verdict'>,
  { isPatientAsked, hasDraft }: { readonly isPatientAsked: boolean; readonly hasDraft: boolean },
): Offer {
  const { state, images, reasons, verdict } = details
  // What is typed and not saved would not be sent.
  if (hasDraft) return { kind: 'nothing' }
  if (state === 'collecting') return { kind: 'close' }
  if ((state !== 'review' && state !== 'incomplete') || isPatientAsked) return { kind: 'nothing' }
  const asked = images.find((image) => image.eye === 'unknown' && isSent(image))
  if (asked) return { kind: 'eye', imageId: asked.id }
  const isSettled = reasons.every(({ kind }) => REASONS_SETTLED_BY_APPROVAL.includes(kind))
  if (!isSettled || raisesQuestion(verdict)) return { kind: 'nothing' }
  // What only an approval settles is read as carefully as what was only proposed.
  return { kind: 'approve', isProposal: restsOnProposal(verdict) || reasons.length > 0 }
}

/** How far the shown case may be approved; `blocked`: something must be read, or seen, first. */
export type ApproveButton = 'loading' | 'ready' | 'blocked' | 'approving'

/** What becomes of images of a case: their eyes, or why one is not sent. */
export type ImageChanges = {
  readonly id: string
  readonly images: readonly (Pick<Image, 'id'> & Partial<Pick<Image, 'eye' | 'excludedBecause'>>)[]
}

/** What the desk has done by the case that is shown, which knows all that is stated of it. */
export type CaseHandle = {
  readonly id: string
  /** The digest of the content that followed from nothing else; null if it failed, or more has changed. */
  readonly changeImages: (images: ImageChanges['images']) => Promise<string | null>
}

type ClickEvent = { readonly timeStamp: number; readonly detail: number }

export type ShownCaseProps = {
  readonly id: string
  readonly handle: RefObject<CaseHandle | null>
  readonly approveButton: ApproveButton
  /** Why the last act on this case came to nothing. */
  readonly failure: Failure | null
  /** What must be read before Enter works again. */
  readonly notice: DeskNotice | null
  /** What has changed, if that is the notice. */
  readonly changes: readonly Change[]
  readonly onShown: (content: ShownContent | null) => void
  readonly onChange: (changes: ImageChanges) => void
  readonly onAcknowledge: () => void
  /** Can a click be meant for this case? */
  readonly isAimed: (event: ClickEvent) => boolean
  readonly onClick: (on: 'approve' | KnownEye, event: ClickEvent) => void
  readonly onSkip: () => void
}

export function ShownCase(props: ShownCaseProps) {
  return (
    <OpenedCase id={props.id} heading="h2" waiting={null}>
      {(reading) => <ReadCase {...props} {...reading} failure={props.failure ?? reading.failure} />}
    </OpenedCase>
  )
}

function ReadCase(props: ShownCaseProps & CaseReading) {
  const { isReading, isStale, neighbour, onShown } = props
  const open = useCase()
  const { details, question } = open
  const saving = useSaving(open)
  const { draft } = useDraft(details.id)
  const isPatientAsked = question !== null || details.reasons.some(({ kind }) => kind === 'sharedNumber')
  const hasOpenFiles = useHasOpenFiles(details.id)
  const hasDraft = Object.keys(draft).length > 0 || hasOpenFiles
  const nearNumbers = neighbour && `${details.fields.history_number}/${neighbour.history_number}`
  const offer = { ...offerOf(details, { isPatientAsked, hasDraft }), ...(nearNumbers && { nearNumbers }) }
  const offered = JSON.stringify(offer)
  useEffect(() => {
    const { id, digest } = details
    onShown(isStale ? null : { id, digest, offer: JSON.parse(offered) as Offer, details })
    return () => onShown(null)
  }, [details, offered, isStale, onShown])
  useImperativeHandle(props.handle, () => handleOf(open), [open])
  const { state } = details
  const canSend = state === 'held' || state === 'refused'
  const isWaiting = props.approveButton === 'loading' || props.approveButton === 'approving'
  return (
    <>
      <CaseHeading heading="h2" />
      <div className={css.facts}>
        <Notice {...props} />
        {state === 'collecting' && (
          <p className={css.notice} data-tone="grey">
            <ReadyIn at={details.notBefore} />
          </p>
        )}
        {offer.kind === 'eye' && <EyeQuestion onClick={props.onClick} />}
        {hasDraft && (
          <p className={css.notice} data-tone="amber">
            {t(hasOpenFiles ? 'newCase:filesFirst' : 'desk:unsaved')}
          </p>
        )}
        <CaseQuestions />
        <UnusableFiles />
        {details.erasedAt === null && <CheckPanel isReading={isReading} isEyeAsked={offer.kind === 'eye'} />}
      </div>
      <div className={css.bar}>
        {/* No button takes the place of this one: a second click on it must not do something else to the next case. */}
        <span className={css.first}>
          {(offer.kind === 'approve' || offer.kind === 'close') && (
            <Button
              size="md"
              aria-disabled={props.approveButton !== 'ready'}
              data-ready={props.approveButton === 'ready'}
              className={css.approve ?? ''}
              onClick={(event) => props.onClick('approve', event)}
            >
              {isWaiting
                ? t(`desk:approve.${props.approveButton}`)
                : t(offer.kind === 'close' ? 'desk:close' : 'desk:approve.ready')}{' '}
              <Key icon={IconCornerDownLeft} />
            </Button>
          )}
          {canSend && (
            <Button
              variant="default"
              size="md"
              loading={saving.isBusy}
              aria-disabled={props.approveButton !== 'ready'}
              data-ready={props.approveButton === 'ready'}
              className={css.approve ?? ''}
              onClick={(event) => props.isAimed(event) && void saving.saveAndSend()}
            >
              {t(`submission:send.${state}`)}
            </Button>
          )}
        </span>
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
        {offer.kind === 'approve' && <SwapEyes {...props} />}
        <span className="grow" />
        <MoreActions hasSend={offer.kind !== 'nothing' || canSend} />
      </div>
    </>
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

function Notice(props: ShownCaseProps & CaseReading) {
  const { failure, notice, changes, neighbour, isAimed, onAcknowledge } = props
  const { details } = useCase()
  const isNumber = notice === 'nearNumber'
  return (
    <>
      {failure !== null && <FailureNotice failure={failure} />}
      {notice !== null && (
        <div className={css.notice} data-tone="amber" role="alert">
          <strong>{t(`desk:notice.${notice}.title`)}</strong>
          {changes.length > 0 && <span>{joinTexts(...changes.map((one) => t(`desk:change.${one}`)))}</span>}
          {isNumber && neighbour && (
            <div>
              <NearNumber of={details.fields} other={neighbour} />
              <NearNumber of={neighbour} other={details.fields} />
            </div>
          )}
          {/* Of two cases that are asked about, one click answers one. */}
          <SmallButton
            disabled={isNumber && props.approveButton === 'loading'}
            onClick={(event) => (!isNumber || isAimed(event)) && onAcknowledge()}
          >
            {t(`desk:notice.${notice}.action`)}
          </SmallButton>
          {isNumber && (
            <SmallButton onClick={() => goTo({ screen: 'submission', id: details.id })}>
              {t('desk:edit')}
            </SmallButton>
          )}
        </div>
      )}
    </>
  )
}

/** A number, large; what differs from the other one is marked. */
function NearNumber({ of, other }: { readonly of: Fields; readonly other: Fields }) {
  const names = useNames()
  const number = of.history_number ?? ''
  const marks = nearMarks(number, other.history_number ?? '') ?? []
  return (
    <div>
      <bdi className={css.near}>
        {Array.from(number, (char, at) =>
          marks.includes(at) ? <mark key={`${at} ${char}`}>{char}</mark> : char,
        )}
      </bdi>{' '}
      <bdi>{names.nameOf(of) ?? t('queue:noName')}</bdi>
    </div>
  )
}

const EYES_ASKED = [
  { eye: 'right', key: '1' },
  { eye: 'left', key: '2' },
] as const

function EyeQuestion({ onClick }: Pick<ShownCaseProps, 'onClick'>) {
  const { details } = useCase()
  const sent = details.images.filter(isSent)
  const unknown = sent.filter(({ eye }) => eye === 'unknown').length
  return (
    <div
      className={css.question}
      data-tone="amber"
      role="group"
      aria-label={t('desk:whichEye')}
      aria-live="polite"
    >
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

function handleOf({ details, change }: OpenCase): CaseHandle {
  return {
    id: details.id,
    changeImages: async (images) => {
      const changed = await change({ images: [...images] })
      const wanted = new Map(images.map((image) => [image.id, image]))
      const expected = {
        ...details,
        images: details.images.map((image) => ({ ...image, ...wanted.get(image.id) })),
      }
      return changed !== null && !hasUnseen(expected, changed, []) ? changed.digest : null
    },
  }
}

const OTHER_EYE = { right: 'left', left: 'right', unknown: 'unknown' } as const

/** One act if a camera was set to the wrong eye throughout. */
function SwapEyes({ isAimed, onChange }: Pick<ShownCaseProps, 'isAimed' | 'onChange'>) {
  const { details } = useCase()
  const sent = details.images.filter(isSent)
  const swap = (): void =>
    onChange({ id: details.id, images: sent.map(({ id, eye }) => ({ id, eye: OTHER_EYE[eye] })) })
  if (new Set(sent.map(({ eye }) => eye)).size < 2) return null
  return (
    <Button variant="default" size="md" onClick={(event) => isAimed(event) && swap()}>
      {t('desk:swapEyes')}
    </Button>
  )
}
