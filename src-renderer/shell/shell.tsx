import { lazy, Suspense, type ReactNode } from 'react'
import { Loader } from '@mantine/core'
import { useDisclosure, useHotkeys } from '@mantine/hooks'
import { AlarmHost } from '../alarms/alarm-host.tsx'
import { QueueScreen } from '../queue/queue-screen.tsx'
import { ViewerHost } from '../viewer/viewer-host.tsx'
import { useFirstRun } from '../setup/use-first-run.ts'
import { QuestionHost } from '../who/question-host.tsx'
import { Banner } from './banner.tsx'
import { ErrorBoundary } from './error-boundary.tsx'
import { Header } from './header.tsx'
import { LiveRegion } from './live-region.tsx'
import { Navigation } from './navigation.tsx'
import { loadScreen } from './fetch-screen.ts'
import { goTo, useRoute, writeRoute, type Route } from './routes.ts'
import css from './shell.module.css'
import { t } from '../words/t.ts'

// The queue is home and comes at once; the other screens when they are first looked at.
const KeyboardHelp = lazy(async () => ({
  default: (await loadScreen(() => import('./keyboard-help.tsx'))).KeyboardHelp,
}))
const SubmissionScreen = lazy(async () => ({
  default: (await loadScreen(() => import('../submission/submission-screen.tsx'))).SubmissionScreen,
}))
const NewCaseScreen = lazy(async () => ({
  default: (await loadScreen(() => import('../new-case/new-case-screen.tsx'))).NewCaseScreen,
}))
const SetupScreen = lazy(async () => ({
  default: (await loadScreen(() => import('../setup/setup-screen.tsx'))).SetupScreen,
}))
const CasesScreen = lazy(async () => ({
  default: (await loadScreen(() => import('../cases/cases-screen.tsx'))).CasesScreen,
}))
const ReportsScreen = lazy(async () => ({
  default: (await loadScreen(() => import('../reports/reports-screen.tsx'))).ReportsScreen,
}))
const ActivityScreen = lazy(async () => ({
  default: (await loadScreen(() => import('../activity/activity-screen.tsx'))).ActivityScreen,
}))
const HelpScreen = lazy(async () => ({
  default: (await loadScreen(() => import('../help/help-screen.tsx'))).HelpScreen,
}))
const SettingsScreen = lazy(async () => ({
  default: (await loadScreen(() => import('../settings/settings-screen.tsx'))).SettingsScreen,
}))

/** The frame of every screen: navigation at the left, header and banner above, one screen in the middle. */
export function Shell() {
  const route = useRoute()
  useFirstRun(route)
  const [isHelpShown, help] = useDisclosure(false)
  useHotkeys(
    [
      // Browsers keep Ctrl+digit for their tabs; Alt+digit works in both hosts.
      ...(['queue', 'cases', 'reports', 'activity', 'settings', 'help'] as const).flatMap(
        (screen, index): [string, () => void][] => [
          [`mod+${index + 1}`, () => goTo(homeOf(screen))],
          [`alt+${index + 1}`, () => goTo(homeOf(screen))],
        ],
      ),
      ['F1', help.open],
      ['mod+F', focusSearch, { preventDefault: false }],
    ],
    [],
  )
  return (
    <div className={css.shell}>
      <a href="#main" className={css.skip} onClick={skipToMain}>
        {t('shell:skip')}
      </a>
      <ErrorBoundary location="header" shape="part">
        <Header />
      </ErrorBoundary>
      <ErrorBoundary location="navigation" shape="part">
        <Navigation route={route} onHelp={help.open} />
      </ErrorBoundary>
      <div className={css.stage}>
        <ErrorBoundary location="banner" shape="part">
          <Banner />
        </ErrorBoundary>
        <main id="main" tabIndex={-1} className={css.main}>
          <ErrorBoundary location={writeRoute(route)}>
            <Suspense fallback={<Loader className={css.loader} aria-label={t('shell:product')} />}>
              {screenOf(route)}
            </Suspense>
          </ErrorBoundary>
        </main>
      </div>
      <ErrorBoundary location="dialogs" shape="part">
        <LiveRegion />
        <AlarmHost />
        <QuestionHost />
        <ViewerHost />
      </ErrorBoundary>
      {isHelpShown && (
        <Suspense fallback={null}>
          <KeyboardHelp isShown onClose={help.close} />
        </Suspense>
      )}
    </div>
  )
}

function homeOf(screen: 'queue' | 'cases' | 'reports' | 'activity' | 'settings' | 'help'): Route {
  if (screen === 'reports') return { screen, caseId: null }
  if (screen === 'activity') return { screen, submissionId: null }
  if (screen === 'settings') return { screen, section: null }
  return { screen }
}

function screenOf(route: Route): ReactNode {
  switch (route.screen) {
    case 'queue':
      return <QueueScreen />
    case 'submission':
      return <SubmissionScreen key={route.id} id={route.id} />
    case 'new':
      return <NewCaseScreen />
    case 'cases':
      return <CasesScreen caseId={route.caseId ?? null} />
    case 'setup':
      return <SetupScreen />
    case 'reports':
      return <ReportsScreen caseId={route.caseId} submissionId={route.submissionId ?? null} />
    case 'activity':
      return <ActivityScreen key={route.submissionId} submissionId={route.submissionId} />
    case 'help':
      return <HelpScreen />
    case 'settings':
      return <SettingsScreen section={route.section} folder={route.folder ?? null} />
  }
}

/** Where a screen has no search, the keys keep what the browser does with them. */
function focusSearch(event: KeyboardEvent): void {
  const search = document.querySelector<HTMLInputElement>('input[type="search"]')
  if (!search) return
  event.preventDefault()
  search.select()
}

/** The address behind `#` is the route, so the skip link moves the focus itself. */
function skipToMain(event: { preventDefault(): void }): void {
  event.preventDefault()
  document.getElementById('main')?.focus()
}
