/** The frame around every screen: navigation, header, banner and live region. */
import { Group, Loader, Tooltip, VisuallyHidden } from '@mantine/core'
import { useDisclosure, useHotkeys } from '@mantine/hooks'
import { type ReactNode, Suspense, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useStore } from 'zustand'
import { FAILURES } from '../../src-shared/failure.ts'
import { restoreFocus, unlessBehindDialog, useLetterKey } from '../components/browser.tsx'
import { InitialsControl, type Question, questionStore } from '../decisions/decisions.tsx'
import { formatAge } from '../format/dates.ts'
import { failureTitle, t } from '../i18n/i18n.ts'
import { NamesControl } from '../privacy/names.tsx'
import { DeskScreen } from '../desk/desk.tsx'
import { useFirstRun } from '../setup/setup-steps.ts'
import { useStation } from '../store/use-station.ts'
import { useWindows } from '../store/windows.ts'
import { ViewerHost } from '../viewer/viewer.tsx'
import { Banner, isBlocking, useBanner } from './banner.tsx'
import { CenterControl, LanguageMenu, PauseControl, SchemeControl } from './header-menus.tsx'
import { ErrorBoundary } from './error-boundary.tsx'
import {
  alarmPanel,
  goTo,
  lazyScreen,
  NAV_SCREENS,
  Navigation,
  type Route,
  useRoute,
  writeRoute,
} from './navigation.tsx'
import css from './shell.module.css'
import { announce, announcements, clearAnnouncements, hideFailures } from './toast.tsx'

/** The connection to the service, as a lamp whose shape changes with its colour, and a text. */
function ConnectionLight() {
  const connection = useStation((state) => state.connection)
  const status = useStation((state) => state.status)
  const light = connection.kind === 'lost' ? 'lost' : (status?.service.health ?? 'unknown')
  const failure = light === 'trouble' ? (status?.service.failure ?? null) : null
  // The same title as in the banner: two names of one trouble read like two.
  const label = failure === null ? t(`shell:light.${light}`) : failureTitle(failure.kind)
  const isForPerson = failure !== null && FAILURES[failure.kind] === 'a person here'
  const lastSuccessAt = status?.service.lastSuccessAt ?? null
  const title =
    lastSuccessAt === null || status === null
      ? label
      : `${label}, ${t('shell:light.lastSuccess', { when: formatAge(status.now - lastSuccessAt) })}`
  return (
    <Tooltip label={title}>
      <span className={css.light} aria-label={`${t('shell:light.label')}: ${label}`} role="img">
        <span className={css.lamp} data-light={isForPerson ? 'refused' : light} />
        <span>{label}</span>
      </span>
    </Tooltip>
  )
}

function Header() {
  return (
    <header className={css.header}>
      <a href="#/queue" className={css.brand}>
        <img src="./icon.svg" alt="" draggable={false} width={30} height={30} />
        <span>{t('shell:product')}</span>
      </a>
      <CenterControl />
      <span className="grow" />
      <Group gap={8} wrap="nowrap">
        <ConnectionLight />
        <InitialsControl />
        <PauseControl />
        <NamesControl />
        <LanguageMenu />
        <SchemeControl />
      </Group>
    </header>
  )
}

/** Says announcements, and the banner whenever it changes; a blocking banner interrupts. Nothing is announced twice. */
function LiveRegion() {
  const text = useStore(announcements, (state) => state.text)
  const { kind, title, body } = useBanner()
  const isUrgent = isBlocking(kind)
  const lastKind = useRef(kind)
  // Runs when the screens are rendered in another language.
  useEffect(() => clearAnnouncements, [])
  useEffect(() => {
    if (lastKind.current === kind) return
    lastKind.current = kind
    if (!isUrgent) announce(`${title}. ${body}`)
  }, [kind, title, body, isUrgent])
  return (
    <>
      <VisuallyHidden role="status" aria-live="polite" aria-atomic>
        {text}
      </VisuallyHidden>
      <VisuallyHidden role="alert" aria-live="assertive" aria-atomic>
        {isUrgent ? `${title}. ${body}` : ''}
      </VisuallyHidden>
    </>
  )
}

// The queue is home and loads at once; the other screens load when they are first opened.
const KeyboardHelp = lazyScreen(async () => (await import('./keyboard-help.tsx')).KeyboardHelp)
const Palette = lazyScreen(async () => (await import('./palette.tsx')).Palette)
const SubmissionScreen = lazyScreen(
  async () => (await import('../submission/submission-screen.tsx')).SubmissionScreen,
)
const SetupScreen = lazyScreen(async () => (await import('../setup/setup.tsx')).SetupScreen)
const CasesScreen = lazyScreen(async () => (await import('../cases/cases.tsx')).CasesScreen)
const ReportsScreen = lazyScreen(async () => (await import('../reports/reports.tsx')).ReportsScreen)
const ActivityScreen = lazyScreen(async () => (await import('../activity/activity.tsx')).ActivityScreen)
const HelpScreen = lazyScreen(async () => (await import('../help/help.tsx')).HelpScreen)
const SettingsScreen = lazyScreen(async () => (await import('../settings/settings.tsx')).SettingsScreen)

export function Shell() {
  useWindows()
  const route = useRoute()
  useFirstRun(route)
  const opened = route.screen === 'submission' ? route.id : route.screen
  // Before its parts scroll to what is meant: a screen begins at its top, wherever the one before was scrolled to.
  useLayoutEffect(() => {
    document.getElementById('main')?.scrollTo(0, 0)
    return () => hideFailures(['case', 'screen'])
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- that another is opened is the cause
  }, [opened])
  const [isHelpShown, help] = useDisclosure(false)
  const [isPaletteShown, palette] = useDisclosure(false)
  useLetterKey('shift+?', help.open)
  useHotkeys(
    [
      // Browsers use Ctrl+digit for their tabs; Alt+digit works in both hosts.
      ...NAV_SCREENS.flatMap((screen, index): [string, () => void][] => [
        [`mod+${index + 1}`, () => goTo({ screen })],
        [`alt+${index + 1}`, () => goTo({ screen })],
      ]),
      ['F1', help.open],
      ['mod+K', unlessBehindDialog(palette.open)],
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
          <Banner isInSetup={route.screen === 'setup'} />
        </ErrorBoundary>
        <main id="main" tabIndex={-1} className={css.main}>
          <ErrorBoundary location={writeRoute(route)}>
            <Suspense fallback={<Loader m="80px auto" display="block" aria-label={t('shell:product')} />}>
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
          <KeyboardHelp screen={route.screen} onClose={help.close} />
        </Suspense>
      )}
      {isPaletteShown && (
        <Suspense fallback={null}>
          <Palette onClose={palette.close} />
        </Suspense>
      )}
    </div>
  )
}

function screenOf(route: Route): ReactNode {
  switch (route.screen) {
    case 'queue':
      return <DeskScreen />
    case 'submission':
      return <SubmissionScreen key={route.id} id={route.id} />
    case 'cases':
      return <CasesScreen caseId={route.caseId ?? null} />
    case 'setup':
      return <SetupScreen />
    case 'reports':
      return <ReportsScreen caseId={route.caseId ?? null} submissionId={route.submissionId ?? null} />
    case 'activity':
      return <ActivityScreen key={route.reference} reference={route.reference ?? ''} />
    case 'help':
      return <HelpScreen />
    case 'settings':
      return <SettingsScreen section={route.section ?? null} />
  }
}

/** On screens without a search the keys keep the browser's meaning. */
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

const AlarmPanel = lazyScreen(async () => (await import('../alarms/alarm-panel.tsx')).AlarmPanel)

/** Renders the panel; it is fetched with the first alarm, so that it opens at once. */
function AlarmHost() {
  const isShown = useStore(alarmPanel, (state) => state.isShown)
  const hasAlarms = useStation(({ status }) => (status?.alarms.length ?? 0) > 0)
  const [wasNeeded, setNeeded] = useState(false)
  if ((isShown || hasAlarms) && !wasNeeded) setNeeded(true)
  if (!wasNeeded) return null
  return (
    <Suspense fallback={null}>
      <AlarmPanel isShown={isShown} onClose={() => alarmPanel.setState({ isShown: false })} />
    </Suspense>
  )
}

const QuestionDialog = lazyScreen(
  async () => (await import('../decisions/question-dialog.tsx')).QuestionDialog,
)

function QuestionHost() {
  const open = useStore(questionStore, (state) => state.open)
  // While a dialog fades out, it keeps its text.
  const [last, setLast] = useState<Question | null>(null)
  if (open && open.question !== last) setLast(open.question)
  const cameFrom = useRef<HTMLElement | null>(null)
  const isOpen = open !== null
  useEffect(() => {
    if (isOpen) cameFrom.current = focusReturnTarget(document.activeElement)
  }, [isOpen])
  if (!last) return null
  return (
    <Suspense fallback={null}>
      <QuestionDialog
        question={last}
        isOpen={isOpen}
        onGone={() => restoreFocus(cameFrom.current)}
        onAnswer={(answer) => questionStore.getState().open?.answer(answer)}
      />
    </Suspense>
  )
}

/** A menu item is gone by then; the button that opened the menu is not. */
function focusReturnTarget(element: Element | null): HTMLElement | null {
  const menu = element?.closest('[role="menu"]')
  const target = menu ? document.getElementById(menu.getAttribute('aria-labelledby') ?? '') : element
  return target instanceof HTMLElement && target !== document.body ? target : null
}
