/** Routes, the navigation between screens, and their loading on demand. */
import { Stack, UnstyledButton } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import {
  type Icon,
  IconFileText,
  IconHelpCircle,
  IconHistory,
  IconInbox,
  IconKeyboard,
  IconSettings,
  IconStack2,
} from '@tabler/icons-react'
import { type ComponentType, lazy, useSyncExternalStore } from 'react'
import { createStore } from 'zustand/vanilla'
import { desktopRouteSchema, LANGUAGE_CALL } from '../../src-shared/desktop.ts'
import { SECOND } from '../../src-shared/durations.ts'
import { formatCount } from '../format/numbers.ts'
import { loadAllTexts, onLanguageChoice, t } from '../i18n/i18n.ts'
import type { DesktopBridge } from '../link/transports.ts'
import { countOf, type StationState } from '../store/state.ts'
import { useStation } from '../store/use-station.ts'
import css from './navigation.module.css'

/** The route is stored in the address behind the `#`, so that back and reload work in both hosts. */
export const SETTINGS_SECTIONS = ['clinic', 'folders', 'service', 'review', 'reports', 'it'] as const

export type SettingsSection = (typeof SETTINGS_SECTIONS)[number]

/** A missing or null detail leads to the start of its screen. */
export type Route =
  | { readonly screen: 'queue' | 'setup' | 'help' }
  | { readonly screen: 'submission'; readonly id: string }
  | { readonly screen: 'cases'; readonly caseId?: string | undefined }
  | {
      readonly screen: 'reports'
      readonly caseId?: string | null
      /** The owner of the case, if two centers or services use the same id. */
      readonly submissionId?: string | undefined
    }
  | { readonly screen: 'activity'; readonly reference?: string | undefined }
  | {
      readonly screen: 'settings'
      readonly section?: SettingsSection | null
      readonly folder?: string | undefined
    }

/** Parses an address; unknown ones lead to the queue, which is home. */
export function readRoute(hash: string): Route {
  const [screen, ...details] = hash.replace(/^#\/?/, '').split('/').map(decodeSegment)
  const [detail, further] = details.map((segment) => segment || undefined)
  switch (screen) {
    case 'queue':
      return detail ? { screen: 'submission', id: detail } : { screen }
    case 'setup':
    case 'help':
      return { screen }
    case 'cases':
      return { screen, caseId: detail }
    case 'reports':
      return { screen, caseId: detail ?? null, submissionId: further }
    case 'activity':
      return { screen, reference: detail }
    case 'settings': {
      const section = SETTINGS_SECTIONS.find((name) => name === detail) ?? null
      return { screen, section, folder: further }
    }
    default:
      return { screen: 'queue' }
  }
}

function address(...segments: readonly (string | null | undefined)[]): string {
  return ['#', ...segments.flatMap((segment) => (segment ? encodeURIComponent(segment) : []))].join('/')
}

export function writeRoute(route: Route): string {
  switch (route.screen) {
    case 'queue':
    case 'setup':
    case 'help':
      return address(route.screen)
    case 'submission':
      return address('queue', route.id)
    case 'cases':
      return address('cases', route.caseId)
    case 'reports':
      return address('reports', route.caseId, route.submissionId)
    case 'activity':
      return address('activity', route.reference)
    case 'settings':
      return address('settings', route.section, route.folder)
  }
}

/** A typed address may contain an invalid escape; the segment is then used unchanged. */
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

/** Is the alarm panel open? It overlays every screen, so that nothing moves when an alarm arrives. */
export const alarmPanel = createStore<{ readonly isShown: boolean }>(() => ({ isShown: false }))

/** In the order of their shortcuts. */
export const NAV_SCREENS = ['queue', 'cases', 'reports', 'activity', 'settings', 'help'] as const

const ICONS: Readonly<Record<(typeof NAV_SCREENS)[number], Icon>> = {
  queue: IconInbox,
  cases: IconStack2,
  reports: IconFileText,
  activity: IconHistory,
  settings: IconSettings,
  help: IconHelpCircle,
}

/** How many patterns of file names wait to be trusted. */
export function offersOf({ status }: Pick<StationState, 'status'>): number {
  return status?.names.reduce((sum, folder) => sum + folder.offers, 0) ?? 0
}

type NavigationProps = { readonly route: Route; readonly onHelp: () => void }

export function Navigation({ route, onHelp }: NavigationProps) {
  const needYou = useStation(({ status }) => (status ? countOf('needsYou', status.counts) : 0))
  const unread = useStation(({ status }) => status?.reportsUnread ?? 0)
  const offers = useStation(offersOf)
  const version = useStation(({ status }) => status?.version ?? null)
  useDocumentTitle(needYou > 0 ? `(${needYou}) ${t('shell:product')}` : t('shell:product'))
  const badges: Partial<Record<Route['screen'], readonly [number, string]>> = {
    queue: [needYou, t('shell:needYou', { count: needYou })],
    reports: [unread, t('shell:unread', { count: unread })],
    settings: [offers, t('shell:offers', { count: offers })],
  }
  const current = route.screen === 'submission' ? 'queue' : route.screen
  return (
    <nav className={css.navigation} aria-label={t('shell:navigation')}>
      <ul role="list">
        {NAV_SCREENS.map((screen, index) => {
          const Sign = ICONS[screen]
          const [count, badgeLabel] = badges[screen] ?? [0, '']
          return (
            <li key={screen}>
              <a
                href={writeRoute({ screen })}
                className={css.entry}
                // The browser's own: ours would lie over the screen after each click.
                title={`${t(`shell:screens.${screen}`)} (${t('shell:shortcut', { digit: index + 1 })})`}
                aria-current={current === screen ? 'page' : undefined}
              >
                <Sign size={20} stroke={1.8} aria-hidden />
                <span className={css.name}>{t(`shell:screens.${screen}`)}</span>
                {count > 0 && (
                  <span className={css.count} data-screen={screen}>
                    <span aria-hidden>{formatCount(count)}</span>
                    <span className="visually-hidden">{badgeLabel}</span>
                  </span>
                )}
              </a>
            </li>
          )
        })}
      </ul>
      <Stack gap={6}>
        <UnstyledButton className={css.help} onClick={onHelp}>
          <IconKeyboard size={18} stroke={1.8} aria-hidden />
          <span className={css.name}>{t('shell:keyboard')}</span>
        </UnstyledButton>
        {version !== null && <p className={css.version}>{t('shell:version', { version })}</p>}
      </Stack>
    </nav>
  )
}

const RETRY_MS = SECOND

/** Waits for the station: a browser remembers a failed import for the lifetime of the page. */
export async function retryUntilReachable<Module>(fetchModule: () => Promise<Module>): Promise<Module> {
  while (!(await isPageReachable()))
    await new Promise((resolve) => {
      setTimeout(resolve, RETRY_MS)
    })
  return fetchModule()
}

async function isPageReachable(): Promise<boolean> {
  // The desktop window loads modules from the program itself.
  if (window.fundusCourier) return true
  try {
    const signal = AbortSignal.timeout(RETRY_MS)
    return (await fetch(`${window.location.origin}/health`, { cache: 'no-store', signal })).ok
  } catch (error) {
    if (error instanceof TypeError || error instanceof DOMException) return false
    throw error
  }
}

/** A screen or dialog that is not part of the first page; it comes with the texts that are not loaded yet. */
export function lazyScreen<Props extends object>(
  fetchComponent: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  return lazy(async () => {
    const [component] = await retryUntilReachable(() => Promise.all([fetchComponent(), loadAllTexts()]))
    return { default: component }
  })
}

/** Opens the route that a notification or the tray requests, and reports the chosen language to the desktop app. */
export function followDesktop(bridge: DesktopBridge): void {
  bridge.onRoute((value) => {
    const target = desktopRouteSchema.safeParse(value)
    if (!target.success) return
    const route = target.data
    goTo(route.screen === 'reports' ? { screen: 'reports', ...route.of } : route)
  })
  // A host that does not answer keeps its language; the link reports that it is gone.
  onLanguageChoice((choice) => void bridge.call(LANGUAGE_CALL, choice).catch(() => undefined))
}
