/** The header's menus for language, pausing and colour scheme. */
import { Menu, Popover, Text, UnstyledButton, useMantineColorScheme } from '@mantine/core'
import {
  type Icon,
  IconAlertTriangle,
  IconBuildingHospital,
  IconCheck,
  IconChevronDown,
  IconDeviceDesktop,
  IconLanguage,
  IconLock,
  IconMoon,
  IconPlayerPause,
  IconPlayerPlay,
  IconSearch,
  IconSun,
} from '@tabler/icons-react'
import { type ReactNode, Suspense, useRef, useState } from 'react'
import { restoreFocus } from '../components/browser.tsx'
import { ActionButton, IconAction } from '../components/controls.tsx'
import type { Center } from '../../src-shared/case.ts'
import { HOUR, MINUTE, SECOND } from '../../src-shared/durations.ts'
import { chooseLanguage, isFound, messageOf, t, useLanguageChoice } from '../i18n/i18n.ts'
import { LANGUAGES } from '../../src-shared/texts/texts.ts'
import { useAnswer, useSession, useStation } from '../store/use-station.ts'
import { lazyScreen } from './navigation.tsx'
import { runCall } from './toast.tsx'
import css from './center-menu.module.css'

type ChoiceMenuProps<Choice extends string> = {
  readonly label: string
  readonly icon: Icon
  readonly chosen: Choice
  readonly choices: readonly Choice[]
  readonly textOf: (choice: Choice) => string
  /** What an item has besides its text. */
  readonly itemOf: (choice: Choice) => { readonly lang?: string; readonly leftSection?: ReactNode }
  readonly onChoose: (choice: Choice) => void
}

function ChoiceMenu<Choice extends string>(props: ChoiceMenuProps<Choice>) {
  const { label, icon, chosen, choices, textOf, itemOf, onChoose } = props
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
            {...itemOf(choice)}
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
      itemOf={(choice) => (choice === 'auto' ? {} : { lang: choice })}
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
        variant="filled"
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

function schemeSign(scheme: keyof typeof SCHEME_ICONS): { readonly leftSection: ReactNode } {
  const Sign = SCHEME_ICONS[scheme]
  return { leftSection: <Sign size={16} aria-hidden /> }
}

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
      itemOf={schemeSign}
      onChoose={setColorScheme}
    />
  )
}

// Rarely needed, so it is fetched when a center is chosen.
const CenterDialog = lazyScreen(async () => (await import('./center-dialog.tsx')).CenterDialog)

export function CenterMenu() {
  const centerId = useStation((state) => state.status?.centerId ?? null)
  // The id is known at once; its name costs a request to the service.
  const { value, failure, readAgain } = useAnswer('centers.list', {})
  const centers = value?.items ?? null
  const isGone = isCenterGone(centerId, centers)
  const isLocked = useStation((state) => state.settings?.managed['centerId'] === 'enforced')
  const [search, setSearch] = useState('')
  const [wanted, setWanted] = useState<Center | null>(null)
  const nameOf = (id: string | null): string => {
    if (id === null) return t('shell:center.none')
    return centers?.find((one) => one.centerId === id)?.name ?? t('shell:center.unnamed', { id })
  }
  const button = useRef<HTMLButtonElement>(null)
  const isSearched = centers !== null && centers.length > SEARCHED_FROM
  const found = isSearched ? matchingCenters(centers, search) : (centers ?? [])
  const open = (): void => {
    setSearch('')
    readAgain()
  }

  return (
    <>
      <Menu position="bottom-start" width={340} onOpen={open}>
        <Menu.Target>
          <UnstyledButton ref={button} className={css.center} data-gone={isGone}>
            <IconBuildingHospital size={20} stroke={1.7} aria-hidden />
            <span className={css.text}>
              <span className={css.label}>{t(isGone ? 'shell:center.labelGone' : 'shell:center.label')}</span>{' '}
              <span className="bold truncate">{nameOf(centerId)}</span>
            </span>
            {isGone ? (
              <IconAlertTriangle size={17} aria-hidden />
            ) : isLocked ? (
              <IconLock size={16} aria-hidden />
            ) : (
              <IconChevronDown size={16} aria-hidden />
            )}
          </UnstyledButton>
        </Menu.Target>
        <CenterDropdown isSearched={isSearched}>
          {isGone && (
            <p className={css.gone}>
              <IconAlertTriangle size={17} aria-hidden />
              {t('shell:center.gone', { id: centerId })}
            </p>
          )}
          <Menu.Label>{t(isLocked ? 'shell:setByAdministrator' : 'shell:center.choose')}</Menu.Label>
          {isSearched && (
            <Menu.Search
              leftSection={<IconSearch size={16} aria-hidden />}
              aria-label={t('shell:center.search')}
              placeholder={t('shell:center.search')}
              value={search}
              onChange={(event) => setSearch(event.currentTarget.value)}
            />
          )}
          <div
            className={css.list}
            data-long={isSearched}
            role={isSearched && found.length > 0 ? 'menu' : undefined}
            aria-label={isSearched && found.length > 0 ? t('shell:center.choose') : undefined}
          >
            {found.map((center) => (
              <Menu.Item
                key={center.centerId}
                leftSection={
                  <IconCheck size={16} aria-hidden opacity={center.centerId === centerId ? 1 : 0} />
                }
                rightSection={
                  <Text size="xs" c="dimmed">
                    {center.centerId}
                  </Text>
                }
                // A disabled item would lose the keyboard focus, and it may come first.
                aria-current={center.centerId === centerId}
                aria-disabled={isLocked}
                onClick={() => !isLocked && center.centerId !== centerId && setWanted(center)}
              >
                {nameOf(center.centerId)}
                {center.centerId === centerId && <span className="dim"> ({t('shell:center.current')})</span>}
              </Menu.Item>
            ))}
          </div>
          {centers?.length === 0 && <Menu.Label>{t('shell:center.empty')}</Menu.Label>}
          {isSearched && found.length === 0 && <Menu.Label>{t('shell:center.notFound')}</Menu.Label>}
          {failure !== null && <Menu.Label>{messageOf(failure)}</Menu.Label>}
          {centers === null && failure === null && <Menu.Label>{t('shell:center.loading')}</Menu.Label>}
          <Menu.Divider />
          <Menu.Label>{t('shell:center.explain')}</Menu.Label>
        </CenterDropdown>
      </Menu>
      {value && wanted !== null && (
        <Suspense fallback={null}>
          <CenterDialog
            wanted={wanted}
            list={value}
            nameOf={nameOf}
            onClose={() => {
              setWanted(null)
              restoreFocus(button.current)
            }}
          />
        </Suspense>
      )}
    </>
  )
}

type CenterDropdownProps = { readonly isSearched: boolean; readonly children: ReactNode }

/** A menu may contain only items; with a search above them, it becomes a dialog that contains the menu. */
function CenterDropdown({ isSearched, children }: CenterDropdownProps) {
  if (!isSearched) return <Menu.Dropdown>{children}</Menu.Dropdown>
  return (
    <Popover.Dropdown p={4} data-menu-dropdown>
      {children}
    </Popover.Dropdown>
  )
}

const SEARCHED_FROM = 8

/** Does the service's list no longer contain this center? A list that is empty or was not read proves nothing. */
export function isCenterGone(centerId: string | null, centers: readonly Center[] | null): boolean {
  if (centerId === null || centers === null || centers.length === 0) return false
  return centers.every((one) => one.centerId !== centerId)
}

export function matchingCenters(centers: readonly Center[], search: string): Center[] {
  return centers.filter(({ centerId, name }) => isFound(search, [name, centerId]))
}
