/** How the patient, the day and each eye of a case are known: the standing, the sources, and what a person may choose. */
import { Group, VisuallyHidden } from '@mantine/core'
import type { ReactNode } from 'react'
import { isCalendarDate } from '../../src-shared/fields.ts'
import { type Eye, EYES } from '../../src-shared/measurement-ranges.ts'
import type { Proof, ShownPart, ShownStatement } from '../../src-shared/proof.ts'
import type { Image, SubmissionDetails } from '../../src-shared/submission.ts'
import type { Standing } from '../../src-shared/verdict.ts'
import { SmallButton } from '../components/controls.tsx'
import { baseName, isSent } from '../components/photo.tsx'
import { formatCalendarDay } from '../format/dates.ts'
import { joinTexts, t } from '../i18n/i18n.ts'
import { type Names, useNames } from '../privacy/names.tsx'
import { runCall } from '../shell/toast.tsx'
import { useSession } from '../store/use-station.ts'
import { dropDraftField } from './drafts.ts'
import { focusOn, KNOWN_ID, useCase } from './form.ts'
import css from './how-known.module.css'
import { StandingMark, Statements, whyText } from './proof-sources.tsx'
import screen from './submission-screen.module.css'
import { NumberQuestion } from './whose-number.tsx'

type PartProps = {
  readonly label: ReactNode
  /** Null if it is in dispute, or nothing states it. */
  readonly value: string | null
  readonly standing: Standing
  readonly read: ShownPart | null
  /** The sentence that is above all parts because it is of several of them. */
  readonly shared: string | null
  readonly children?: ReactNode
  readonly renderChoice?: ((value: string) => ReactNode) | undefined
}

/** The statements of a part; of one without any, only which sources there are. */
function statementsOf({ by }: Standing, read: ShownPart | null): readonly ShownStatement[] {
  const entered = by.includes('person') ? [{ value: '', source: 'person' as const, where: '' }] : []
  if (read === null || read.statements.length === 0)
    return by.map((source) => ({ value: '', source, where: '' }))
  return read.statements.some(({ source }) => source === 'person')
    ? read.statements
    : [...entered, ...read.statements]
}

/** Why it is no proof; null if it is, or if the statements say it themselves. */
function doubtOf({ kind, why }: Standing, read: ShownPart | null, names: Names): string | null {
  if (kind === 'proven' || (why === 'sourcesDiffer' && read !== null && read.statements.length > 1))
    return null
  return whyText(why, read?.about ?? null, names)
}

function Part({ label, value, standing, read, shared, children, renderChoice }: PartProps) {
  const names = useNames()
  const { kind } = standing
  const doubt = children ? null : doubtOf(standing, read, names)
  return (
    <div className={css.part} data-kind={kind}>
      <dt className={css.label}>{label}</dt>
      <dd className={css.facts}>
        <Group component="span" gap="2px 10px">
          {value !== null && <strong className={css.value}>{value}</strong>}
          <StandingMark kind={kind} />
        </Group>
        {doubt !== null && doubt !== shared && <p>{doubt}</p>}
        <Statements
          statements={statementsOf(standing, read)}
          shown={value}
          {...(kind === 'disputed' && renderChoice && { renderChoice })}
        />
        {children}
      </dd>
    </div>
  )
}

type EyeGroup = {
  readonly images: readonly Image[]
  readonly standing: Standing
  readonly read: ShownPart | null
}

/** Images whose eyes are known alike, in one; each disputed one alone, because a person answers for it. Pure. */
export function groupEyes(
  { images, verdict }: Pick<SubmissionDetails, 'images' | 'verdict'>,
  proof: Pick<Proof, 'eyes'>,
): readonly EyeGroup[] {
  const sent = images.filter(isSent).flatMap((image) => {
    const standing = verdict.eyes[image.id]
    return standing ? [{ image, standing }] : []
  })
  const signatureOf = (id: string): unknown => proof.eyes[id]?.statements.map(({ by, at }) => [by, at])
  const keyOf = ({ image, standing: { kind, why, by } }: (typeof sent)[number]): string =>
    kind === 'disputed'
      ? image.id
      : JSON.stringify([kind, why, by, by.includes('person') && signatureOf(image.id)])
  return [...Map.groupBy(sent, keyOf).values()].flatMap((alike) => {
    const [first] = alike
    if (first === undefined) return []
    const read = alike.flatMap(({ image }) => proof.eyes[image.id] ?? [])
    // The eyes of the images are shown beside them.
    const statements = alike.flatMap(({ image, standing: { kind } }) =>
      (proof.eyes[image.id]?.statements ?? []).map((one) =>
        kind !== 'disputed' && one.value === image.eye ? { ...one, value: '' } : one,
      ),
    )
    return {
      images: alike.map(({ image }) => image),
      standing: first.standing,
      read: read[0] ? { ...read[0], statements } : null,
    }
  })
}

/** `2 × right (OD) · 2 × left (OS)`, or the name of a single image among others. */
function eyesText({ images, standing }: EyeGroup, isOnly: boolean, names: Names): string {
  const [first] = images
  if (first !== undefined && (standing.kind === 'disputed' || (!isOnly && images.length === 1)))
    return names.fileName(baseName(first.fileName))
  const counts = EYES.map((eye) => ({ eye, count: images.filter((image) => image.eye === eye).length }))
  return joinTexts(
    ...counts
      .filter(({ count }) => count > 0)
      .map(({ eye, count }) => t('proof:ofEye', { count, eye: eyeName(eye) })),
  )
}

/** The one sentence that holds of several parts, so that it is read once. Pure. */
export function sharedDoubt(doubts: readonly (string | null)[]): string | null {
  return doubts.find((doubt, index) => doubt !== null && doubts.indexOf(doubt) !== index) ?? null
}

function eyeName(eye: Eye): string {
  return eye === 'unknown' ? t('field:eye.unknown.short') : t(`proof:eye.${eye}`)
}

type HowKnownProps = {
  readonly isReading: boolean
  /** Is it asked first how many patients there are? Then no number is offered. */
  readonly isPatientAsked: boolean
}

/** Above the form and beside the images: a person who approves a proposal has all three in view. */
export function HowKnown({ isReading, isPatientAsked }: HowKnownProps) {
  const { details, proof, isFrozen, asShown, take, change } = useCase()
  const { id, fields, verdict } = details
  const session = useSession()
  const names = useNames()
  const choose = async (changes: Parameters<typeof change>[0]): Promise<void> => {
    if (await change(changes)) focusOn(KNOWN_ID)
  }
  const enter = (name: 'history_number' | 'visit_date', value: string): void => {
    dropDraftField(id, name)
    void choose({ fields: { [name]: value } })
  }
  const askAgain = async (): Promise<void> => {
    const changed = await runCall(session, 'submissions.samePatient', { ...asShown(), answer: 'forget' })
    if (!changed) return
    focusOn(KNOWN_ID)
    take(changed)
  }
  if (isOfPersonAlone(details)) return null
  const eyes = groupEyes(details, proof)
  const isNumberAsked = verdict.who.kind === 'proposed' && verdict.who.why === 'secondNumber'
  const about = proof.who.about
  const { together } = verdict
  const parts = [
    { standing: verdict.who, read: proof.who },
    { standing: verdict.day, read: proof.day },
    ...eyes,
  ]
  const shared = sharedDoubt(parts.map(({ standing, read }) => doubtOf(standing, read, names)))
  return (
    <section className={screen.block} aria-labelledby={KNOWN_ID} aria-busy={isReading}>
      <h2 id={KNOWN_ID} className={screen.blockTitle} tabIndex={-1}>
        {t('proof:title')}
      </h2>
      {shared !== null && <p className={css.shared}>{shared}</p>}
      <dl className={css.parts}>
        <Part
          label={t('proof:part.who')}
          value={verdict.who.kind === 'disputed' ? null : (fields.history_number ?? null)}
          standing={verdict.who}
          shared={shared}
          read={proof.who}
          renderChoice={
            isFrozen ||
            isPatientAsked ||
            verdict.who.why === 'twoPeople' ||
            verdict.who.why === 'sharedNumber'
              ? undefined
              : (value) => (
                  <SmallButton onClick={() => enter('history_number', value)}>
                    {t('proof:choose.who', { value: names.fileName(value) })}
                  </SmallButton>
                )
          }
        >
          {isNumberAsked && about !== null && !isFrozen ? (
            <NumberQuestion number={about} />
          ) : proof.who.why === 'savedAnswer' && !isFrozen ? (
            <>
              <p>{whyText('savedAnswer', about, names)}</p>
              <SmallButton onClick={() => void askAgain()}>{t('proof:patients.askAgain')}</SmallButton>
            </>
          ) : null}
        </Part>
        {together.kind === 'proposed' && together.why !== 'readFromNames' && (
          <Part
            label={t('proof:part.together')}
            value={null}
            standing={together}
            read={null}
            shared={shared}
          />
        )}
        {(fields.visit_date !== undefined || verdict.day.kind !== 'proven') && (
          <Part
            label={t('proof:part.day')}
            value={
              verdict.day.kind === 'disputed' || fields.visit_date === undefined
                ? null
                : formatCalendarDay(fields.visit_date)
            }
            standing={verdict.day}
            shared={shared}
            read={proof.day}
            renderChoice={
              isFrozen
                ? undefined
                : (value) =>
                    isCalendarDate(value) && (
                      <SmallButton onClick={() => enter('visit_date', value)}>
                        {t('proof:choose.day', { value: formatCalendarDay(value) })}
                      </SmallButton>
                    )
            }
          />
        )}
        {eyes.map((group, index) => {
          const [image] = group.images
          return (
            <Part
              key={image?.id}
              label={
                index === 0 ? t('proof:part.eyes') : <VisuallyHidden>{t('proof:part.eyes')}</VisuallyHidden>
              }
              value={eyesText(group, eyes.length === 1, names)}
              standing={group.standing}
              shared={shared}
              read={group.read}
              renderChoice={
                isFrozen || image === undefined
                  ? undefined
                  : (value) => (
                      <EyeChoice
                        image={image}
                        value={value}
                        onChoose={(eye) => void choose({ images: [{ id: image.id, eye }] })}
                      />
                    )
              }
            />
          )
        })}
      </dl>
    </section>
  )
}

/** A case that a person made says nothing here that is not in the form, unless a file states something. Pure. */
function isOfPersonAlone({ verdict, isByHand }: Pick<SubmissionDetails, 'verdict' | 'isByHand'>): boolean {
  const parts = [verdict.who, verdict.day, ...Object.values(verdict.eyes)]
  return isByHand && parts.every(({ by }) => by.every((source) => source === 'person'))
}

type EyeChoiceProps = {
  readonly image: Image
  readonly value: string
  readonly onChoose: (eye: Eye) => void
}

function EyeChoice({ image, value, onChoose }: EyeChoiceProps) {
  const names = useNames()
  const eye = EYES.find((one) => one === value)
  if (eye === undefined || eye === 'unknown') return null
  const text = t(`field:eye.${eye}.within`)
  return (
    <SmallButton
      aria-label={t('proof:choose.eyeWhat', { what: names.fileName(baseName(image.fileName)), eye: text })}
      onClick={() => onChoose(eye)}
    >
      {t('proof:choose.eye', { eye: text })}
    </SmallButton>
  )
}
