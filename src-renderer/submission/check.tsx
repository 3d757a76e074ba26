/** The panel "Check": how the patient, the day and each eye of a case are known, below what keeps it here or is unusual. */
import { Group } from '@mantine/core'
import type { ReactNode } from 'react'
import { FIELD_NAMES, isCalendarDate } from '../../src-shared/fields.ts'
import { EYES } from '../../src-shared/measurement-ranges.ts'
import type { Proof, ShownPart, ShownStatement } from '../../src-shared/proof.ts'
import type { Image, SubmissionDetails } from '../../src-shared/submission.ts'
import type { Standing } from '../../src-shared/verdict.ts'
import { SmallButton } from '../components/controls.tsx'
import { baseName, isSent } from '../components/photo.tsx'
import { currentSignature } from '../decisions/decisions.tsx'
import { formatCalendarDay } from '../format/dates.ts'
import { joinTexts, t } from '../i18n/i18n.ts'
import { type Names, useNames } from '../privacy/names.tsx'
import { runCall } from '../shell/toast.tsx'
import { useSession } from '../store/use-station.ts'
import css from './check.module.css'
import { dropDraftField } from './drafts.ts'
import { Block, listFields } from './field-input.tsx'
import { Findings } from './findings.tsx'
import { CHECK_ID, focusOn, type OpenCase, useCase } from './form.ts'
import { capitalized, StandingMark, Statements, whyText } from './proof-sources.tsx'

type Changes = Parameters<OpenCase['change']>[0]

type Choice = { readonly text: string; readonly label?: string; readonly changes: Changes }

type Part = {
  readonly key: string
  readonly label: string
  /** Null if it is in dispute, or nothing states it. */
  readonly value: string | null
  readonly standing: Standing
  readonly statements: readonly ShownStatement[]
  /** Which source gave what else is in the form. */
  readonly others?: readonly string[]
  /** Are its sources shown at once? */
  readonly isOpen?: boolean
  /** Why it is no proof. */
  readonly doubt: string | null
  /** Of a part in dispute: what one click on a stated value chooses. */
  readonly choiceOf?: (value: string) => Choice | null
}

/** The statements of a part; of one without any, only which sources there are. */
function statementsOf({ by }: Standing, read: ShownPart | undefined): readonly ShownStatement[] {
  const statements = read?.statements ?? []
  const isSigned = statements.some(({ source }) => source === 'person')
  const unread = statements.length === 0 ? by : by.filter((source) => source === 'person' && !isSigned)
  return [...unread.map((source) => ({ value: '', source, where: '' })), ...statements]
}

/** Why it is no proof; null if it is, or if the statements say it themselves. */
function doubtOf({ kind, why }: Standing, read: ShownPart | undefined, names: Names): string | null {
  if (kind === 'proven' || (why === 'sourcesDiffer' && (read?.statements.length ?? 0) > 1)) return null
  return whyText(why, read?.about ?? null, names)
}

/** The images that are sent by how their eyes are known; each in dispute alone, because a person answers for it. Pure. */
export function groupEyes(
  { images, verdict: { eyes } }: Pick<SubmissionDetails, 'images' | 'verdict'>,
  proof: Pick<Proof, 'eyes'>,
): readonly (readonly Image[])[] {
  const keyOf = ({ id }: Image): string => {
    const { kind, why } = eyes[id] ?? {}
    return kind === 'disputed' ? id : JSON.stringify([kind, why, proof.eyes[id]?.about])
  }
  const known = images.filter((image) => isSent(image) && eyes[image.id] !== undefined)
  return [...Map.groupBy(known, keyOf).values()]
}

/** `2 × right (OD) · 2 × left (OS)`. */
function countsText(images: readonly Image[]): string {
  const byEye = EYES.map((eye) => ({ eye, count: images.filter((image) => image.eye === eye).length }))
  return joinTexts(
    ...byEye
      .filter(({ count }) => count > 0)
      .map(({ eye, count }) => {
        const name = eye === 'unknown' ? t('field:eye.unknown.short') : t(`proof:eye.${eye}`)
        return `${count} \u00d7 ${name}`
      }),
  )
}

function eyePartsOf({ details, proof }: OpenCase, names: Names): readonly Part[] {
  const groups = groupEyes(details, proof)
  return groups.flatMap((images): Part[] => {
    const [image] = images
    const standing = image && details.verdict.eyes[image.id]
    if (!standing) return []
    const name = names.fileName(baseName(image.fileName))
    const isNamed = groups.length > 1 && images.length === 1
    const isDisputed = standing.kind === 'disputed'
    return [
      {
        key: image.id,
        label: t('proof:part.eyes'),
        value: joinTexts((isNamed || isDisputed) && name, !isDisputed && countsText(images)),
        standing,
        // An answer of a person was read in no file, and is of this image.
        statements: images.flatMap(({ id, fileName }) =>
          statementsOf(details.verdict.eyes[id] ?? standing, proof.eyes[id]).map((one) => ({
            ...one,
            where: one.source === 'person' ? fileName : one.where,
          })),
        ),
        doubt: doubtOf(standing, proof.eyes[image.id], names),
        choiceOf: (eye) => {
          if (eye !== 'right' && eye !== 'left') return null
          const text = t('proof:use', { value: t(`field:eye.${eye}.within`) })
          return {
            text,
            label: t('submission:images.assign', { what: name, eye: text }),
            changes: { images: [{ id: image.id, eye }] },
          }
        },
      },
    ]
  })
}

/** `The data file: Last name, Age, Measurements`, for all values beside number and day that no person has entered. */
function otherSources({ fields, sources }: Pick<SubmissionDetails, 'fields' | 'sources'>): readonly string[] {
  const names = FIELD_NAMES.filter(
    (name) => name !== 'history_number' && name !== 'visit_date' && fields[name] !== undefined,
  )
  return [...Map.groupBy(names, (name) => sources[name] ?? 'person')].flatMap(([source, its]) =>
    source === 'person' ? [] : `${capitalized(t(`proof:source.${source}`))}: ${listFields(its)}`,
  )
}

/** Patient, day and eyes, and whether the images belong together if that is in doubt. */
function partsOf(open: OpenCase, names: Names, isPatientAsked: boolean): readonly Part[] {
  const { details, proof } = open
  const { fields, sources, verdict, isByHand } = details
  const { who, day, together, eyes } = verdict
  const all = [who, day, ...Object.values(eyes)].flatMap(({ by }) => by)
  // A case that a person made says nothing here that is not in the form, unless a file states something.
  if (isByHand && [...all, ...Object.values(sources)].every((source) => source === 'person')) return []
  const part = (
    key: 'who' | 'day' | 'together',
    standing: Standing,
    value: string | undefined,
    read?: ShownPart,
  ) => ({
    key,
    label: t(`proof:part.${key}`),
    // A tick is never alone: a number that is missing would look checked.
    value: standing.kind === 'disputed' ? null : (value ?? (standing.kind === 'proven' ? '\u2013' : null)),
    standing,
    statements: statementsOf(standing, read),
    doubt: doubtOf(standing, read, names),
  })
  const { history_number: number, visit_date: date } = fields
  const isAskedAbove = isPatientAsked || who.why === 'twoPeople' || who.why === 'sharedNumber'
  return [
    {
      ...part('who', who, number, proof.who),
      others: otherSources(details),
      isOpen: verdict.fields.length > 0,
      choiceOf: (value) =>
        isAskedAbove
          ? null
          : {
              text: t('proof:use', { value: names.fileName(value) }),
              changes: { fields: { history_number: value } },
            },
    },
    ...(together.kind === 'proposed' && together.why !== 'readFromNames'
      ? [part('together', together, undefined)]
      : []),
    ...(date !== undefined || day.kind !== 'proven'
      ? [
          {
            ...part('day', day, date && formatCalendarDay(date), proof.day),
            choiceOf: (value: string) =>
              isCalendarDate(value)
                ? {
                    text: t('proof:use', { value: formatCalendarDay(value) }),
                    changes: { fields: { visit_date: value } },
                  }
                : null,
          },
        ]
      : []),
    ...eyePartsOf(open, names),
  ]
}

type PartRowProps = { readonly part: Part; readonly isDoubtShown: boolean; readonly children: ReactNode }

function PartRow({ part, isDoubtShown, children }: PartRowProps) {
  const { details, isFrozen, change } = useCase()
  const { label, value, standing, statements, others = [], isOpen, doubt, choiceOf } = part
  const { kind, why } = standing
  const choose = async (changes: Changes): Promise<void> => {
    for (const name of ['history_number', 'visit_date'] as const)
      if (changes.fields?.[name] !== undefined) dropDraftField(details.id, name)
    if (await change(changes)) focusOn(CHECK_ID)
  }
  const renderChoice = (stated: string): ReactNode => {
    const choice = kind === 'disputed' && !isFrozen && choiceOf?.(stated)
    return (
      choice && (
        <SmallButton aria-label={choice.label} onClick={() => void choose(choice.changes)}>
          {choice.text}
        </SmallButton>
      )
    )
  }
  const line = (
    <>
      {value !== null && <strong className={css.value}>{value}</strong>}
      <StandingMark kind={kind} why={why} />
    </>
  )
  const sources = (
    <>
      <Statements statements={statements} shown={value} renderChoice={renderChoice} />
      {others.map((text) => (
        <p key={text} className={css.says}>
          {text}
        </p>
      ))}
    </>
  )
  return (
    <div className={css.part} data-kind={kind}>
      <dt className="bold">{label}</dt>
      <dd className={css.facts}>
        {kind === 'proven' ? (
          <details open={isOpen}>
            <summary className={css.line}>{line}</summary>
            {sources}
          </details>
        ) : (
          <>
            <p className={css.line}>{line}</p>
            {isDoubtShown && doubt !== null && <p>{doubt}</p>}
            {sources}
            {children}
          </>
        )}
      </dd>
    </div>
  )
}

/** What else is asked about the number: what a second one counts, or whether an earlier answer still holds. */
function NumberQuestions() {
  const session = useSession()
  const { details, proof, isFrozen, asShown, take } = useCase()
  const { id, verdict } = details
  const { about: number } = proof.who
  const show = (changed: SubmissionDetails): void => {
    focusOn(CHECK_ID)
    take(changed)
  }
  const answer = async (isPatientNumber: boolean): Promise<void> => {
    const input = { id, number: number ?? '', isPatientNumber, ...currentSignature() }
    const changed = await runCall(session, 'submissions.answerNumber', input)
    if (!changed) return
    show(changed)
  }
  const askAgain = async (): Promise<void> => {
    const changed = await runCall(session, 'submissions.samePatient', { ...asShown(), answer: 'forget' })
    if (changed) show(changed)
  }
  if (isFrozen) return null
  if (verdict.who.why === 'savedAnswer')
    return <SmallButton onClick={() => void askAgain()}>{t('proof:patients.askAgain')}</SmallButton>
  if (verdict.who.why !== 'secondNumber' || number === null) return null
  return (
    <Group gap={6} role="group" aria-labelledby="number-question">
      <p id="number-question">
        <strong>{t('proof:number.title', { number })}</strong> {t('proof:number.explain')}
      </p>
      <SmallButton onClick={() => void answer(true)}>{t('proof:number.yes')}</SmallButton>
      <SmallButton onClick={() => void answer(false)}>{t('proof:number.no')}</SmallButton>
    </Group>
  )
}

type CheckPanelProps = { readonly isReading: boolean; readonly isEyeAsked?: boolean }

/** Above the form and beside the images: a person who approves a proposal has all three in view. */
export function CheckPanel({ isReading, isEyeAsked = false }: CheckPanelProps) {
  const open = useCase()
  const askedAbove = isEyeAsked ? 'eye' : open.question === null ? null : 'patient'
  const names = useNames()
  const { reasons, oddities } = open.details
  const parts = partsOf(open, names, askedAbove === 'patient')
  if (parts.length + reasons.length + oddities.length === 0) return null
  return (
    <Block id={CHECK_ID} title={t('proof:title')} isBusy={isReading}>
      <Findings askedAbove={askedAbove} />
      <dl>
        {parts.map((part, index) => (
          <PartRow
            key={part.key}
            part={part}
            // A sentence that holds of several parts is read once.
            isDoubtShown={parts.findIndex(({ doubt }) => doubt === part.doubt) === index}
          >
            {part.key === 'who' && <NumberQuestions />}
          </PartRow>
        ))}
      </dl>
    </Block>
  )
}
