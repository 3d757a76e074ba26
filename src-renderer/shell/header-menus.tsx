/** The header's menus for language, pausing and colour scheme, and the center of new cases. */
import { Menu, UnstyledButton, useMantineColorScheme } from '@mantine/core'
import {
  type Icon,
  IconAlertTriangle,
  IconBuildingHospital,
  IconChevronDown,
  IconDeviceDesktop,
  IconLanguage,
  IconMoon,
  IconPlayerPause,
  IconPlayerPlay,
  IconSun,
} from '@tabler/icons-react'
import { Suspense, useRef, useState } from 'react'
import { restoreFocus } from '../components/browser.tsx'
import { ActionButton, IconAction } from '../components/controls.tsx'
import { useCenters } from '../decisions/center-choice.tsx'
import type { Center } from '../../src-shared/case.ts'
import { HOUR, MINUTE, SECOND } from '../../src-shared/durations.ts'
import { chooseLanguage, t, useLanguageChoice } from '../i18n/i18n.ts'
import { isLanguage, LANGUAGES } from '../../src-shared/texts/texts.ts'
import { useSession, useStation } from '../store/use-station.ts'
import { lazyScreen } from './navigation.tsx'
import { runCall } from './toast.tsx'
import css from './center.module.css'

type ChoiceMenuProps<Choice extends string> = {
  readonly label: string
  readonly icon: Icon
  readonly chosen: Choice
  readonly choices: readonly Choice[]
  readonly textOf: (choice: Choice) => string
  readonly onChoose: (choice: Choice) => void
}

function ChoiceMenu<Choice extends string>(props: ChoiceMenuProps<Choice>) {
  const { label, icon, chosen, choices, textOf, onChoose } = props
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <IconAction
          variant="default"
          label={label}
          aria-label={`${label}: ${textOf(chosen)}`}
          icon={icon}
          iconSize={18}
        />
      </Menu.Target>
      <Menu.Dropdown>
        {choices.map((choice) => (
          <Menu.Item
            key={choice}
            aria-current={choice === chosen}
            fw={choice === chosen ? 650 : 400}
            onClick={() => onChoose(choice)}
            lang={isLanguage(choice) ? choice : undefined}
          >
            {textOf(choice)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

/** The language of this screen; each is listed in its own language, so that everyone can find theirs. */
export function LanguageMenu() {
  return (
    <ChoiceMenu
      label={t('shell:language.label')}
      icon={IconLanguage}
      chosen={useLanguageChoice()}
      choices={['auto', ...LANGUAGES]}
      textOf={(choice) => t(`shell:language.${choice}`)}
      onChoose={(choice) => void chooseLanguage(choice, window)}
    />
  )
}

const PAUSE_CHOICES = [
  { seconds: (15 * MINUTE) / SECOND, key: 'for15' },
  { seconds: HOUR / SECOND, key: 'for60' },
  { seconds: null, key: 'untilResumed' },
] as const

/** Pauses and resumes sending. A pause with another cause ends when the cause is fixed. */
export function PauseControl() {
  const session = useSession()
  const mode = useStation((state) => state.status?.mode)
  if (mode?.kind === 'paused' && mode.why === 'person')
    return (
      <ActionButton
        variant="light"
        icon={IconPlayerPlay}
        onClick={() => void runCall(session, 'station.resume', {})}
      >
        {t('shell:pause.resume')}
      </ActionButton>
    )
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionButton icon={IconPlayerPause} disabled={mode?.kind !== 'running'}>
          {t('shell:pause.pause')}
        </ActionButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{t('shell:pause.menu')}</Menu.Label>
        {PAUSE_CHOICES.map(({ seconds, key }) => (
          <Menu.Item key={key} onClick={() => void runCall(session, 'station.pause', { seconds })}>
            {t(`shell:pause.${key}`)}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Label>{t('shell:pause.explain')}</Menu.Label>
      </Menu.Dropdown>
    </Menu>
  )
}

const SCHEME_ICONS = { light: IconSun, dark: IconMoon, auto: IconDeviceDesktop }

/** Light, dark or system; the default is the system's, because cameras are used in the dark. */
export function SchemeControl() {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <ChoiceMenu
      label={t('shell:scheme.label')}
      icon={SCHEME_ICONS[colorScheme]}
      chosen={colorScheme}
      choices={['light', 'dark', 'auto']}
      textOf={(scheme) => t(`shell:scheme.${scheme}`)}
      onChoose={setColorScheme}
    />
  )
}

// Rarely needed, so it is fetched when a center is chosen.
const CenterDialog = lazyScreen(async () => (await import('./center-dialog.tsx')).CenterDialog)

/** The center of new cases, and the way to another one. */
export function CenterControl() {
  const centerId = useStation((state) => state.status?.centerId ?? null)
  // The id is known at once; its name costs a request to the service.
  const centers = useCenters()
  const isGone = isCenterGone(centerId, centers.centers)
  const [isAsked, setAsked] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const open = (): void => {
    centers.readAgain()
    setAsked(true)
  }
  return (
    <>
      <UnstyledButton
        ref={button}
        className={css.center}
        data-gone={isGone}
        aria-haspopup="dialog"
        onClick={open}
      >
        <IconBuildingHospital size={20} stroke={1.7} aria-hidden />
        <span className={css.text}>
          <span className={css.label}>{t(isGone ? 'shell:center.labelGone' : 'shell:center.label')}</span>{' '}
          <span className="bold truncate">{centers.nameOf(centerId)}</span>
        </span>
        {isGone ? <IconAlertTriangle size={17} aria-hidden /> : <IconChevronDown size={16} aria-hidden />}
      </UnstyledButton>
      {isAsked && (
        <Suspense fallback={null}>
          <CenterDialog
            centerId={centerId}
            isGone={isGone}
            from={centers}
            onClose={() => {
              setAsked(false)
              restoreFocus(button.current)
            }}
          />
        </Suspense>
      )}
    </>
  )
}

/** Does the service's list no longer contain this center? A list that is empty or was not read proves nothing. */
export function isCenterGone(centerId: string | null, centers: readonly Center[]): boolean {
  if (centerId === null || centers.length === 0) return false
  return centers.every((one) => one.centerId !== centerId)
}
