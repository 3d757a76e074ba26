import { Tooltip, UnstyledButton } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import {
  IconFileText,
  IconHelpCircle,
  IconHistory,
  IconInbox,
  IconKeyboard,
  IconSettings,
  IconStack2,
  type Icon,
} from '@tabler/icons-react'
import { countOf } from '../store/queue-view.ts'
import { useStation } from '../store/use-station.ts'
import css from './navigation.module.css'
import type { Route } from './routes.ts'
import type { Words } from '../words/english.ts'
import { t } from '../words/t.ts'

type NavItem = {
  readonly screen: keyof Words['shell']['screens']
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

export type NavigationProps = { readonly route: Route; readonly onHelp: () => void }

/** The screens, with how many things wait behind each. */
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
                <a href={href} className={css.place} aria-current={current === screen ? 'page' : undefined}>
                  <Sign size={20} stroke={1.8} aria-hidden />
                  <span className={css.name}>{t(`shell:screens.${screen}`)}</span>
                  {count > 0 && (
                    <span className={css.count} data-screen={screen}>
                      <span aria-hidden>{count}</span>
                      <span className={css.said}>{badgeLabel}</span>
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
