import { useEffect, useMemo, useRef, useState } from 'react'
import { SECOND } from '../../src-shared/durations.ts'
import { succeed, type Result } from '../../src-shared/result.ts'
import type { SubmissionDetails } from '../../src-shared/submission.ts'
import { deferUpdates } from '../store/hold-off.ts'
import { useSession, useStation } from '../store/use-station.ts'
import { currentSignature } from '../who/initials.ts'
import { getBases, getDraft, forgetDraft, useBases, useDraft } from './drafts.ts'
import { useClinical } from './fields-context.ts'
import { maySaveWhileTyping, savableOf, saveStateOf, type SaveState } from './save-state.ts'

/** Whoever pauses so long has finished a thought. */
const PAUSE_MS = 2 * SECOND

export type Autosave = {
  readonly state: SaveState
  /** A field was left: what is right in the form is saved. */
  readonly leave: () => void
  /** Saves what can be saved now; answers with the submission as it is then. */
  readonly saveNow: () => Promise<Result<SubmissionDetails>>
}

/**
 * Keeps the station's copy of a form up to date with what is typed: after a pause, when a field or the screen is
 * left, and again when the station can be reached. It only saves; it approves nothing.
 */
export function useAutosave(
  details: SubmissionDetails,
  onSaved: (saved: SubmissionDetails) => void,
): Autosave {
  const session = useSession()
  const isOpen = useStation((state) => state.connection.kind === 'open')
  const { vaUnit, isLoaded } = useClinical()
  const draft = useDraft(details.id)
  const bases = useBases(details.id)
  const savable = useMemo(() => savableOf(draft, bases, details, vaUnit), [draft, bases, details, vaUnit])
  const isDrafted = Object.keys(draft).length > 0
  useEffect(() => {
    if (isDrafted) deferUpdates(session, details.id, () => Object.keys(getDraft(details.id)).length > 0)
  }, [isDrafted, session, details.id])
  const [isSaving, setSaving] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const [savedAt, setSavedAt] = useState<number | null>(null)
  const running = useRef<Promise<unknown>>(Promise.resolve())
  const latest = useRef(details)
  useEffect(() => {
    latest.current = details
  }, [details])

  const saveOnce = async (): Promise<Result<SubmissionDetails>> => {
    const before = latest.current
    const now = savableOf(getDraft(before.id), getBases(before.id), before, vaUnit)
    if (Object.keys(now.changes).length === 0) {
      forgetDraft(before.id, now.draft, before.fields)
      return succeed(before)
    }
    setSaving(true)
    const answer = await session.call('submissions.update', {
      id: before.id,
      ...currentSignature(),
      fields: now.changes,
      // A folder may send without a look: not in the middle of somebody's typing.
      mayLeave: false,
    })
    setSaving(false)
    setFailure(answer.ok ? null : answer.failure.message)
    if (!answer.ok) return answer
    latest.current = answer.value
    forgetDraft(before.id, now.draft, answer.value.fields)
    setSavedAt(Date.now())
    onSaved(answer.value)
    return answer
  }
  /** One after the other: two at once would not know of each other's values. */
  const saveNow = (): Promise<Result<SubmissionDetails>> => {
    const saving = running.current.then(saveOnce)
    running.current = saving.catch(() => undefined)
    return saving
  }
  const mayBySelf = isLoaded && isOpen
  const saveBySelf = (): void => {
    if (mayBySelf && Object.keys(getDraft(details.id)).length > 0) void saveNow()
  }
  const act = useRef(saveBySelf)
  useEffect(() => {
    act.current = saveBySelf
  })

  const maySave = mayBySelf && maySaveWhileTyping(details.state)
  useEffect(() => {
    if (!maySave || Object.keys(savable.draft).length === 0) return
    const timer = setTimeout(() => act.current(), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [savable, maySave])
  // Whoever goes to another screen has left the field, too.
  useEffect(() => () => act.current(), [])

  return {
    state: saveStateOf({ savable, isSaving, failure, savedAt }),
    leave: saveBySelf,
    saveNow,
  }
}
