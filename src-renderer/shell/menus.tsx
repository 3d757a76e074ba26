/** The header's menus for language, pausing and colour scheme. */
import { ActionIcon, Button, Menu, Tooltip, useMantineColorScheme } from '@mantine/core'
import {
  IconDeviceDesktop,
  IconLanguage,
  IconMoon,
  IconPlayerPause,
  IconPlayerPlay,
  IconSun,
} from '@tabler/icons-react'
import { HOUR, MINUTE, SECOND } from '../../src-shared/durations.ts'
import { chooseLanguage, t, useLanguageChoice } from '../i18n/i18n.ts'
import { LANGUAGES } from '../../src-shared/texts/texts.ts'
import { useSession, useStation } from '../store/use-station.ts'
import { runCall } from './toast.tsx'

const CHOICES = ['auto', ...LANGUAGES] as const

/** The language of this screen; each is listed in its own language, so that everyone can find theirs. */
export function LanguageMenu() {
  const choice = useLanguageChoice()
  const label = t('shell:language.label')
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Tooltip label={label}>
          <ActionIcon variant="default" size={36} aria-label={`${label}: ${t(`shell:language.${choice}`)}`}>
            <IconLanguage size={18} aria-hidden />
          </ActionIcon>
        </Tooltip>
      </Menu.Target>
      <Menu.Dropdown>
        {CHOICES.map((language) => (
          <Menu.Item
            key={language}
            lang={language === 'auto' ? undefined : language}
            aria-current={language === choice}
            fw={language === choice ? 650 : 400}
            onClick={() => void chooseLanguage(language, window)}
          >
            {t(`shell:language.${language}`)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
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
      <Button
        leftSection={<IconPlayerPlay size={17} aria-hidden />}
        onClick={() => void runCall(session, 'station.resume', {})}
      >
        {t('shell:pause.resume')}
      </Button>
    )
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button
          variant="default"
          leftSection={<IconPlayerPause size={17} aria-hidden />}
          disabled={mode?.kind !== 'running'}
        >
          {t('shell:pause.pause')}
        </Button>
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

const SCHEMES = [
  { scheme: 'light', icon: IconSun },
  { scheme: 'dark', icon: IconMoon },
  { scheme: 'auto', icon: IconDeviceDesktop },
] as const

/** Light, dark or system; the default is the system's, because cameras are used in the dark. */
export function SchemeControl() {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const Sign = SCHEMES.find(({ scheme }) => scheme === colorScheme)?.icon ?? IconDeviceDesktop
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Tooltip label={t('shell:scheme.label')}>
          <ActionIcon
            variant="default"
            size={36}
            aria-label={`${t('shell:scheme.label')}: ${t(`shell:scheme.${colorScheme}`)}`}
          >
            <Sign size={18} aria-hidden />
          </ActionIcon>
        </Tooltip>
      </Menu.Target>
      <Menu.Dropdown>
        {SCHEMES.map(({ scheme, icon: ItemSign }) => (
          <Menu.Item
            key={scheme}
            leftSection={<ItemSign size={16} aria-hidden />}
            aria-current={scheme === colorScheme}
            fw={scheme === colorScheme ? 650 : 400}
            onClick={() => setColorScheme(scheme)}
          >
            {t(`shell:scheme.${scheme}`)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
