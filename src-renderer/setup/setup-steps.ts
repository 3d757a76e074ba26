/** The steps of the first set-up, and the step at which it resumes. */
import { useEffect } from 'react'
import type { Center } from '../../src-shared/case.ts'
import type { ShownSettings } from '../../src-shared/settings.ts'
import type { ServiceStatus } from '../../src-shared/station-status.ts'
import { t } from '../i18n/i18n.ts'
import { goTo, type Route } from '../shell/navigation.tsx'
import { useStation } from '../store/use-station.ts'

export const SETUP_STEPS = ['language', 'folder', 'service', 'center', 'units', 'computer', 'done'] as const

export type SetupStep = (typeof SETUP_STEPS)[number]

/** Should the set-up open automatically? Not if an administrator's file has configured the station. */
export function needsSetup(settings: Pick<ShownSettings, 'setup' | 'service' | 'folders'>): boolean {
  return settings.setup === 'open' && (settings.service === null || settings.folders.length === 0)
}

export function firstOpenStep(completed: readonly SetupStep[]): SetupStep {
  return SETUP_STEPS.find((step) => !completed.includes(step)) ?? 'done'
}

export function stepAfter(step: SetupStep): SetupStep {
  return SETUP_STEPS[SETUP_STEPS.indexOf(step) + 1] ?? 'done'
}

export function stepBefore(step: SetupStep): SetupStep | null {
  return SETUP_STEPS[SETUP_STEPS.indexOf(step) - 1] ?? null
}

/** The mark of a step in the list: a step completed without input was skipped. */
export function markOf(
  step: SetupStep,
  at: SetupStep,
  completed: readonly SetupStep[],
  settings: Pick<ShownSettings, 'service' | 'folders'>,
  light: ServiceStatus['health'] | undefined,
) {
  if (step === at) return 'current'
  if (!completed.includes(step)) return 'open'
  if (step === 'service' && light === 'trouble') return 'trouble'
  const isEmpty =
    (step === 'folder' && settings.folders.length === 0) || (step === 'service' && settings.service === null)
  return isEmpty ? 'skipped' : 'done'
}

export function readCompletedSteps(text: string | null): SetupStep[] {
  const saved = (text ?? '').split(' ')
  return SETUP_STEPS.filter((step) => saved.includes(step))
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

function idText(id: string): string {
  return t('setup:center.id', { id })
}

/** The listed centers, the one that is set if the list lacks it, and none; `null` while there is no list. */
export function centerChoices(listed: readonly Center[] | null, setId: string | null) {
  const isSetUnlisted = setId !== null && listed?.every(({ centerId }) => centerId !== setId) !== false
  return [
    ...(listed ?? []).map(({ centerId, name }) => ({
      value: centerId,
      label: name ?? centerId,
      description: idText(centerId),
    })),
    ...(isSetUnlisted
      ? [{ value: setId, label: idText(setId), description: listed ? t('setup:center.unlisted') : '' }]
      : []),
    { value: NEVER, label: t('setup:center.never'), description: t('setup:center.neverHint') },
  ]
}
