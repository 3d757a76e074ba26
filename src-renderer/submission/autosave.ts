/** Saves typed fields: what can be saved, when, and how that is shown. */
import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import { SECOND } from '../../src-shared/durations.ts'
import { type Result, succeed } from '../../src-shared/failure.ts'
import { FIELD_NAMES, type FieldChanges, type FieldName } from '../../src-shared/fields.ts'
import type { VaUnit } from '../../src-shared/measurement-ranges.ts'
import type { SubmissionState } from '../../src-shared/states.ts'
import { REASONS_SETTLED_BY_APPROVAL, type SubmissionDetails } from '../../src-shared/submission.ts'
import type { Verdict } from '../../src-shared/verdict.ts'
import type { Message } from '../../src-shared/wording.ts'
import { currentSignature } from '../decisions/decisions.tsx'
import { formatInstant } from '../format/dates.ts'
import { failureTitle, messageOf, t } from '../i18n/i18n.ts'
import { namesNow } from '../privacy/names.tsx'
import { runAction, type SubmissionAction } from '../queue/actions.ts'
import { reasonText } from '../queue/row-reason.tsx'
import { goTo } from '../shell/navigation.tsx'
import { hideFailures, showFailure, showToast } from '../shell/toast.tsx'
import { deferUpdates, useSession, useStation } from '../store/use-station.ts'
import { hasOpenFiles } from './add-images.tsx'
import {
  type Draft,
  draftOf,
  forgetDraft,
  hasDraft,
  seenWhileTyping,
  type TypedDraft,
  useDraft,
} from './drafts.ts'
import { conflictsOf, focusField, focusOn, type OpenCase, readDraft, REST_ID, restOf } from './form.ts'

/** The form compared with the station's copy, in a sentence. */
export type SaveState = { readonly text: string; readonly isTrouble: boolean }

type Savable = {
  readonly changes: FieldChanges
  /** The texts behind the changes, and those that change nothing. */
  readonly draft: Draft
  readonly wrong: readonly FieldName[]
  readonly conflicts: readonly FieldName[]
  /** What came with the former number, as long as no person has said what becomes of it. */
  readonly undecided: readonly FieldName[]
}

/** The part of a draft that can be saved: valid fields without a conflict. */
export function savableOf(
  typed: Omit<TypedDraft, 'seen'>,
  { fields }: Pick<SubmissionDetails, 'fields'>,
  vaUnit: VaUnit,
  rest: readonly FieldName[],
): Savable {
  const { changes, problems } = readDraft(typed.draft, fields, vaUnit)
  const conflicts = conflictsOf(typed, fields, vaUnit)
  const wrong = (Object.keys(problems) as FieldName[]).filter((name) => !conflicts.includes(name))
  const undecided = typed.rest === null ? rest : []
  const unsavable = new Set<string>([
    ...conflicts,
    ...wrong,
    ...(undecided.length > 0 ? ['history_number'] : []),
  ])
  const only = <Value extends object>(all: Value): Value =>
    Object.fromEntries(Object.entries(all).filter(([name]) => !unsavable.has(name))) as Value
  const kept = typed.rest === 'keep' ? rest.map((name) => [name, fields[name]] as const) : []
  const all: FieldChanges = { ...Object.fromEntries(kept), ...changes }
  return { changes: only(all), draft: only(typed.draft), wrong, conflicts, undecided }
}

/** May a field be saved during typing? Not if the case may be sent at any moment: half a number would be sent. */
export function maySaveWhileTyping(state: SubmissionState): boolean {
  return state === 'incomplete' || state === 'review' || state === 'held' || state === 'refused'
}

export type SaveProgress = {
  readonly savable: Savable
  readonly isSaving: boolean
  readonly failure: Message | null
  readonly savedAt: number | null
}

function troubleOf({ savable, failure }: Pick<SaveProgress, 'savable' | 'failure'>): string | null {
  const { conflicts, undecided, wrong } = savable
  if (conflicts.length > 0) return t('editor:autosave.conflict')
  // It is not decided yet what becomes of the values that came with the former number.
  if (undecided.length > 0) return t('editor:autosave.rest')
  if (failure !== null) return messageOf(failure)
  return wrong.length > 0 ? t('editor:autosave.wrong') : null
}

/** What the person sees, most important first. */
export function saveStateOf(progress: SaveProgress): SaveState {
  const { savable, isSaving, savedAt } = progress
  const why = isSaving ? null : troubleOf(progress)
  if (why !== null) return { text: t('editor:autosave.notSaved', { why }), isTrouble: true }
  const text = isSaving
    ? t('editor:autosave.saving')
    : Object.keys(savable.changes).length > 0
      ? t('editor:autosave.unsaved')
      : savedAt === null
        ? ''
        : t('editor:autosave.saved', { time: formatInstant(savedAt) })
  return { text, isTrouble: false }
}

const PAUSE_MS = 2 * SECOND

/** Saves after a pause, when a field or the screen is left, and when the station is back. It never approves. */
function useAutosave({ details, proof, clinical, take }: OpenCase) {
  const session = useSession()
  const isOpen = useStation((state) => state.connection.kind === 'open')
  const { vaUnit } = clinical
  const typed = useDraft(details.id)
  const savable = useMemo(
    () => savableOf(typed, details, vaUnit, restOf(typed, details, proof)),
    [typed, details, vaUnit, proof],
  )
  const isDrafted = Object.keys(typed.draft).length > 0
  useEffect(() => {
    if (isDrafted) deferUpdates(session, details.id, () => hasDraft(details.id))
  }, [isDrafted, session, details.id])
  const [isSaving, setSaving] = useState(false)
  const [failure, setFailure] = useState<Message | null>(null)
  const [savedAt, setSavedAt] = useState<number | null>(null)
  const running = useRef<Promise<unknown>>(Promise.resolve())
  const latest = useRef(details)
  const known = useRef(proof)
  useEffect(() => {
    latest.current = details
    known.current = proof
  }, [details, proof])

  const saveOnce = async (): Promise<Result<SubmissionDetails>> => {
    const before = latest.current
    const typed = draftOf(before.id)
    const now = savableOf(typed, before, vaUnit, restOf(typed, before, known.current))
    if (Object.keys(now.changes).length === 0) {
      forgetDraft(before.id, now.draft, before.fields)
      return succeed(before)
    }
    setSaving(true)
    const answer = await session.call('submissions.update', {
      id: before.id,
      ...currentSignature(),
      fields: now.changes,
      seen: seenWhileTyping(typed),
      // A folder may send without review: not while a person is typing.
      mayLeave: false,
    })
    setSaving(false)
    setFailure(answer.ok ? null : answer.failure)
    if (!answer.ok) return answer
    latest.current = answer.value
    forgetDraft(before.id, now.draft, answer.value.fields)
    setSavedAt(Date.now())
    take(answer.value)
    return answer
  }
  /** One after another: concurrent saves would not know each other's values. */
  const saveNow = (): Promise<Result<SubmissionDetails>> => {
    const saving = running.current.then(saveOnce)
    running.current = saving.catch(() => undefined)
    return saving
  }
  const saveBySelf = (): void => {
    if (isOpen && hasDraft(details.id)) void saveNow()
  }
  const act = useEffectEvent(saveBySelf)
  const maySave = isOpen && maySaveWhileTyping(details.state)
  useEffect(() => {
    if (!maySave || Object.keys(savable.draft).length === 0) return
    const timer = setTimeout(() => act(), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [savable, maySave])
  // Leaving the screen also leaves the field.
  useEffect(() => () => act(), [])

  return {
    state: saveStateOf({ savable, isSaving, failure, savedAt }),
    /** A field lost the focus: saves what is valid. */
    leave: saveBySelf,
    saveNow,
  }
}

/** All parts of a verdict by name, with how each stands. */
function kindsIn({ who, day, together, eyes }: Verdict): Readonly<Record<string, string>> {
  const parts = Object.entries({ who, day, together, ...eyes })
  return Object.fromEntries(parts.map(([part, { kind }]) => [part, kind]))
}

/** Does a saved case differ from the one on the screen by more than what was typed, or is less of it proven? Pure. */
export function hasUnseen(
  shown: SubmissionDetails,
  saved: SubmissionDetails,
  typed: readonly string[],
): boolean {
  const contentOf = ({ fields, images, noImageBecause }: SubmissionDetails): string =>
    JSON.stringify([
      FIELD_NAMES.map((name) => (typed.includes(name) ? null : (fields[name] ?? null))),
      images.map(({ id, sha256, sentAs, eye, twinOf, excludedBecause }) => [
        id,
        sha256,
        sentAs,
        eye,
        twinOf,
        excludedBecause,
      ]),
      noImageBecause,
    ])
  const before = kindsIn(shown.verdict)
  const isWorse = Object.entries(kindsIn(saved.verdict)).some(
    ([part, kind]) => kind !== 'proven' && kind !== before[part],
  )
  return isWorse || contentOf(shown) !== contentOf(saved)
}

/** What sends a case on from its state. */
const NEXT_ACTION = {
  collecting: 'closeNow',
  incomplete: 'approve',
  review: 'approve',
  held: 'release',
  refused: 'retry',
} as const satisfies Partial<Record<SubmissionState, SubmissionAction>>

export function isSendable(state: SubmissionState): state is keyof typeof NEXT_ACTION {
  return state in NEXT_ACTION
}

/** Why the case that is shown stays as it was. */
const complain = (of: { readonly title?: string; readonly message: string }): void =>
  showToast({ tone: 'red', about: 'case', ...of })

export function useSaving(open: OpenCase) {
  const { details, proof, take } = open
  const session = useSession()
  const { vaUnit } = open.clinical
  const [isBusy, setBusy] = useState(false)
  const { id } = details
  const { state, leave, saveNow } = useAutosave(open)

  useEffect(() => () => hideFailures(['case']), [])

  /** Saves before another action; null if that failed, which is shown. */
  const saveAll = async (): Promise<SubmissionDetails | null> => {
    const draft = draftOf(id)
    const savable = savableOf(draft, details, vaUnit, restOf(draft, details, proof))
    const why = troubleOf({ savable, failure: null })
    if (why !== null) {
      complain({ message: t('editor:autosave.notSaved', { why }) })
      const [conflict = null] = savable.conflicts
      const field = conflict ?? (savable.undecided.length > 0 ? null : savable.wrong[0])
      if (field) focusField(field)
      else focusOn(REST_ID)
      return null
    }
    const saved = await saveNow()
    if (saved.ok) return saved.value
    showFailure(saved.failure, 'case')
    return null
  }

  const busily = async (work: () => Promise<void>): Promise<void> => {
    if (isBusy) return
    setBusy(true)
    await work()
    setBusy(false)
  }

  return {
    state,
    leave,
    isBusy,
    saveAll,
    save: () =>
      busily(async () => {
        if (hasDraft(id)) await saveAll()
      }),
    /** Saves, then sends the submission as far as its state allows. */
    saveAndSend: () =>
      busily(async () => {
        if (hasOpenFiles(id)) return complain({ message: t('newCase:filesFirst') })
        const before = draftOf(id)
        const rest = restOf(before, details, proof)
        const saved = await saveAll()
        if (!saved) return
        // What a person said would go is no surprise, but what came in its place is.
        const gone = rest.filter((name) => saved.fields[name] === undefined)
        const typed = [...Object.keys(before.draft), ...gone]
        if (Object.keys(before.draft).length > 0 && hasUnseen(details, saved, typed)) {
          return complain({ title: failureTitle('changed'), message: t('submission:savedChanged') })
        }
        // If only a review was requested, approving is reviewing.
        const isSettled = saved.reasons.every(({ kind }) => REASONS_SETTLED_BY_APPROVAL.includes(kind))
        if ((saved.state === 'incomplete' || saved.state === 'refused') && !isSettled) {
          const [first] = saved.reasons
          complain({
            title: t('submission:notApproved'),
            message: first ? reasonText(first, saved, namesNow()) : '',
          })
          if (first?.field) focusField(first.field)
          return
        }
        const action = isSendable(saved.state) ? NEXT_ACTION[saved.state] : null
        // What is rendered, with what the person has just typed.
        const done = action && (await runAction(session, action, [typed.length > 0 ? saved : details]))
        if (action === 'approve' && done?.refused.some(({ failure }) => failure.kind === 'changed')) {
          const answer = await session.call('submissions.get', { id })
          if (answer.ok) take(answer.value)
        }
        // If the case stays here after all, so does the person.
        if (done?.changed.includes(id) && action !== 'closeNow') goTo({ screen: 'queue' })
      }),
  }
}
