import { useStation } from '../store/use-station.ts'
import type { Managed } from './managed.ts'

const NONE_MANAGED: Managed = {}

/** What the administrator's file states of the settings that are shown. */
export function useManaged(): Managed {
  return useStation((state) => state.settings?.managed ?? NONE_MANAGED)
}
