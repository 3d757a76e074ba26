/** Where in the screens a person is: kept in the address behind the `#`, so that back and reload work in both hosts. */
import { useSyncExternalStore } from 'react'

export const SETTINGS_SECTIONS = [
  'general',
  'service',
  'folders',
  'profiles',
  'patientList',
  'requirements',
  'clinical',
  'sending',
  'network',
  'storage',
  'notifications',
  'sources',
  'about',
] as const
export type SettingsSection = (typeof SETTINGS_SECTIONS)[number]

export type Route =
  | { readonly screen: 'queue' }
  | { readonly screen: 'submission'; readonly id: string }
  | { readonly screen: 'new' }
  | {
      readonly screen: 'cases'
      /** The one whose details are open. */
      readonly caseId?: string
    }
  | { readonly screen: 'setup' }
  | {
      readonly screen: 'reports'
      readonly caseId: string | null
      /** Whose case it is, where two centers or services gave the same id. */
      readonly submissionId?: string
    }
  | { readonly screen: 'help' }
  | { readonly screen: 'activity'; readonly submissionId: string | null }
  | {
      readonly screen: 'settings'
      readonly section: SettingsSection | null
      /** The folder that a profile is tried on. */
      readonly folder?: string
    }

/** The route behind an address; what is not known is the queue, which is home. */
export function readRoute(hash: string): Route {
  const [screen, detail, further] = hash.replace(/^#\/?/, '').split('/').map(decodeSegment)
  switch (screen) {
    case 'queue':
      return detail ? { screen: 'submission', id: detail } : { screen: 'queue' }
    case 'new':
      return { screen: 'new' }
    case 'cases':
      return { screen: 'cases', ...(detail && { caseId: detail }) }
    case 'setup':
      return { screen: 'setup' }
    case 'reports':
      return { screen: 'reports', caseId: detail || null, ...(further && { submissionId: further }) }
    case 'activity':
      return { screen: 'activity', submissionId: detail || null }
    case 'help':
      return { screen: 'help' }
    case 'settings':
      return {
        screen: 'settings',
        section: SETTINGS_SECTIONS.find((name) => name === detail) ?? null,
        ...(further && { folder: further }),
      }
    default:
      return { screen: 'queue' }
  }
}

export function writeRoute(route: Route): string {
  switch (route.screen) {
    case 'cases':
      return route.caseId === undefined ? '#/cases' : `#/cases/${encodeURIComponent(route.caseId)}`
    case 'queue':
    case 'new':
    case 'help':
    case 'setup':
      return `#/${route.screen}`
    case 'submission':
      return `#/queue/${encodeURIComponent(route.id)}`
    case 'reports':
      return ['#/reports', route.caseId, route.submissionId]
        .filter((segment) => segment !== null && segment !== undefined)
        .map((part, index) => (index === 0 ? part : encodeURIComponent(part)))
        .join('/')
    case 'activity':
      return route.submissionId === null
        ? '#/activity'
        : `#/activity/${encodeURIComponent(route.submissionId)}`
    case 'settings':
      return ['#/settings', route.section, route.folder && encodeURIComponent(route.folder)]
        .filter(Boolean)
        .join('/')
  }
}

/** An address typed by hand may hold a broken escape; then the part is taken as it stands. */
function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch (error) {
    if (error instanceof URIError) return segment
    throw error
  }
}

export function goTo(route: Route): void {
  window.location.hash = writeRoute(route)
}

function listenToHash(listener: () => void): () => void {
  window.addEventListener('hashchange', listener)
  return () => window.removeEventListener('hashchange', listener)
}

export function useRoute(): Route {
  return readRoute(useSyncExternalStore(listenToHash, () => window.location.hash))
}
