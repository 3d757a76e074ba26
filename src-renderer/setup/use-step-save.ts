import { useState } from 'react'
import type { Failure } from '../../src-shared/failure.ts'
import type { SettingsChanges } from '../../src-shared/settings.ts'
import { permittedChanges } from '../settings/managed.ts'
import { useSession } from '../store/use-station.ts'

export type StepSave = {
  readonly isSaving: boolean
  /** Why the last try was not kept; it is shown in the step, which stays as it was filled in. */
  readonly failure: Failure | null
  readonly save: (changes: SettingsChanges) => Promise<boolean>
}

/** Keeps what a step sets; success is seen by the next step. What an administrator has locked is as it should be. */
export function useStepSave(): StepSave {
  const session = useSession()
  const [isSaving, setSaving] = useState(false)
  const [failure, setFailure] = useState<Failure | null>(null)
  return {
    isSaving,
    failure,
    async save(changes) {
      const sent = permittedChanges(changes, session.store.getState().settings?.managed ?? {})
      if (Object.keys(sent).length === 0) return true
      setSaving(true)
      const answer = await session.call('settings.update', sent)
      setSaving(false)
      setFailure(answer.ok ? null : answer.failure)
      if (answer.ok) session.store.setState({ settings: answer.value })
      return answer.ok
    },
  }
}
