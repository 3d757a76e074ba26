/** The steps of the first set-up, and the step at which it begins. */
import { useEffect } from 'react'
import type { Center } from '../../src-shared/case.ts'
import type { ShownSettings } from '../../src-shared/settings.ts'
import type { ServiceStatus } from '../../src-shared/station-status.ts'
import { t } from '../i18n/i18n.ts'
import { goTo, type Route } from '../shell/navigation.tsx'
import { useStation } from '../store/use-station.ts'

export const SETUP_STEPS = ['folder', 'service', 'ready'] as const

export type SetupStep = (typeof SETUP_STEPS)[number]

type SetupSettings = Pick<ShownSettings, 'setup' | 'service' | 'folders'>

function isSet(step: SetupStep, { service, folders }: Omit<SetupSettings, 'setup'>): boolean {
  return { folder: folders.length > 0, service: service !== null, ready: false }[step]
}

/** Should the set-up open automatically? Not if an administrator's file has configured the station. */
export function needsSetup(settings: SetupSettings): boolean {
  return settings.setup === 'open' && firstStep(settings) !== 'ready'
}

/** The first step that is missing. */
export function firstStep(settings: Omit<SetupSettings, 'setup'>): SetupStep {
  return SETUP_STEPS.find((step) => !isSet(step, settings)) ?? 'ready'
}

/** The mark of a step in the list. */
export function markOf(
  step: SetupStep,
  at: SetupStep,
  settings: Pick<ShownSettings, 'service' | 'folders'>,
  light: ServiceStatus['health'] | undefined,
) {
  if (step === at) return 'current'
  if (!isSet(step, settings)) return 'open'
  return step === 'service' && light === 'trouble' ? 'trouble' : 'done'
}

/** Once per window: a person who leaves the set-up is not sent back to it. */
let isOffered = false

/** Opens the set-up if the station is not configured and its screens were just opened. */
export function useFirstRun(route: Route): void {
  const isNeeded = useStation(({ settings }) => (settings === null ? null : needsSetup(settings)))
  const isHome = route.screen === 'queue'
  useEffect(() => {
    if (isNeeded === null || isOffered) return
    isOffered = true
    if (isNeeded && isHome) goTo({ screen: 'setup' })
  }, [isNeeded, isHome])
}

/** No center has an empty id. */
export const NEVER = ''

export function centerText(id: string | null): string {
  return id === null ? t('setup:center.never') : t('shell:center.unnamed', { id })
}

/** The listed centers, the one that is set if the list lacks it, and none. */
export function centerChoices(listed: readonly Center[], setId: string | null) {
  const isSetUnlisted = setId !== null && listed.every(({ centerId }) => centerId !== setId)
  return [
    ...listed.map(({ centerId, name }) => ({
      value: centerId,
      label: name ?? centerId,
      description: centerText(centerId),
    })),
    ...(isSetUnlisted
      ? [{ value: setId, label: centerText(setId), description: t('setup:center.unlisted') }]
      : []),
    { value: NEVER, label: centerText(null), description: t('setup:center.neverHint') },
  ]
}
