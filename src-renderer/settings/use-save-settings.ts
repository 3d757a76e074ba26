import { useState } from 'react'
import type { SettingsChanges } from '../../src-shared/settings.ts'
import { runCall } from '../shell/run-call.ts'
import { showToast } from '../shell/tell.tsx'
import { useSession } from '../store/use-station.ts'
import { permittedChanges } from './managed.ts'

import { t } from '../words/t.ts'
export type SaveSettings = {
  readonly isSaving: boolean
  readonly save: (changes: SettingsChanges) => Promise<boolean>
}

/** Saves whole parts of the settings and says so; answers whether the station took them. */
export function useSaveSettings(): SaveSettings {
  const session = useSession()
  const [isSaving, setSaving] = useState(false)
  return {
    isSaving,
    async save(changes) {
      const sent = permittedChanges(changes, session.store.getState().settings?.managed ?? {})
      if (Object.keys(sent).length === 0) {
        showToast({ tone: 'red', message: t('settings:managed.enforced') })
        return false
      }
      setSaving(true)
      const settings = await runCall(session, 'settings.update', sent)
      setSaving(false)
      if (!settings) return false
      session.store.setState({ settings })
      showToast({ tone: 'green', message: t('settings:saved') })
      return true
    },
  }
}
