/** Routes and the navigation between screens. */
import { Tooltip, UnstyledButton } from '@mantine/core'
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
import { useSyncExternalStore } from 'react'
import { createStore } from 'zustand/vanilla'
import type { Texts } from '../../src-shared/texts/english.ts'
import { t } from '../i18n/i18n.ts'
import { countOf } from '../store/state.ts'
import { useStation } from '../store/use-station.ts'
import css from './navigation.module.css'

/** The route is stored in the address behind the `#`, so that back and reload work in both hosts. */
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
      readonly caseId?: string
    }
  | { readonly screen: 'setup' }
  | {
      readonly screen: 'reports'
      readonly caseId: string | null
      /** The owner of the case, if two centers or services use the same id. */
      readonly submissionId?: string
    }
  | { readonly screen: 'help' }
  | { readonly screen: 'activity'; readonly submissionId: string | null }
  | {
      readonly screen: 'settings'
      readonly section: SettingsSection | null
      readonly folder?: string
    }

/** Parses an address; unknown ones lead to the queue, which is home. */
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

type NavItem = {
  readonly screen: keyof Texts['shell']['screens']
  readonly href: string
  readonly icon: Icon
}

const NAV_ITEMS: readonly NavItem[] = [
  { screen: 'queue', href: '#/queue', icon: IconInbox },
  { screen: 'cases', href: '#/cases', icon: IconStack2 },
  { screen: 'reports', href: '#/reports', icon: IconFileText },
  { screen: 'activity', href: '#/activity', icon: IconHistory },
  { screen: 'settings', href: '#/settings', icon: IconSettings },
  { screen: 'help', href: '#/help', icon: IconHelpCircle },
]

type NavigationProps = { readonly route: Route; readonly onHelp: () => void }

export function Navigation({ route, onHelp }: NavigationProps) {
  const needYou = useStation(({ status }) => (status ? countOf('needsYou', status.counts) : 0))
  const unread = useStation(({ status }) => status?.reportsUnread ?? 0)
  const version = useStation(({ status }) => status?.version ?? null)
  useDocumentTitle(needYou > 0 ? `(${needYou}) ${t('shell:product')}` : t('shell:product'))
  const current = route.screen === 'submission' || route.screen === 'new' ? 'queue' : route.screen
  const counts = { queue: needYou, reports: unread, cases: 0, activity: 0, settings: 0, help: 0 }
  return (
    <nav className={css.navigation} aria-label={t('shell:navigation')}>
      <ul role="list">
        {NAV_ITEMS.map(({ screen, href, icon: Sign }, index) => {
          const count = counts[screen]
          const badgeLabel = screen === 'queue' ? t('shell:needYou', { count }) : t('shell:unread', { count })
          return (
            <li key={screen}>
              <Tooltip label={t('shell:shortcut', { digit: index + 1 })} position="right" openDelay={700}>
                <a href={href} className={css.entry} aria-current={current === screen ? 'page' : undefined}>
                  <Sign size={20} stroke={1.8} aria-hidden />
                  <span className={css.name}>{t(`shell:screens.${screen}`)}</span>
                  {count > 0 && (
                    <span className={css.count} data-screen={screen}>
                      <span aria-hidden>{count}</span>
                      <span className={css.spoken}>{badgeLabel}</span>
                    </span>
                  )}
                </a>
              </Tooltip>
            </li>
          )
        })}
      </ul>
      <div className={css.foot}>
        <UnstyledButton className={css.help} onClick={onHelp}>
          <IconKeyboard size={18} stroke={1.8} aria-hidden />
          <span className={css.name}>{t('shell:keyboard')}</span>
        </UnstyledButton>
        {version !== null && <p className={css.version}>{t('shell:version', { version })}</p>}
      </div>
    </nav>
  )
}
