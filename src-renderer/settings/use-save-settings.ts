import { useState } from 'react'
import type { SettingsChanges } from '../../src-shared/settings.ts'
import { runCall } from '../shell/run-call.ts'
import { tell } from '../shell/tell.tsx'
import { useSession } from '../store/use-station.ts'

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
      setSaving(true)
      const settings = await runCall(session, 'settings.update', changes)
      setSaving(false)
      if (!settings) return false
      session.store.setState({ settings })
      tell({ tone: 'green', message: t('settings:saved') })
      return true
    },
  }
}
