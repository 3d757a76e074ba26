/** What Ctrl+K opens: one field that finds a case, a screen, or an action of the screen that is shown. */
import { Combobox, Loader, TextInput, useCombobox } from '@mantine/core'
import { type ReactNode, useEffect, useState } from 'react'
import { CaseBadge } from '../components/badges.tsx'
import { restoreFocus, useSearch } from '../components/browser.tsx'
import { Dialog } from '../components/dialog.tsx'
import { isFound, joinTexts, t } from '../i18n/i18n.ts'
import { useNames } from '../privacy/names.tsx'
import { useAnswer } from '../store/use-station.ts'
import { goTo, NAV_SCREENS, type Route, SETTINGS_SECTIONS, writeRoute } from './navigation.tsx'

type Entry = {
  readonly value: string
  /** What a text is compared with. */
  readonly label: string
  readonly shown?: ReactNode
  readonly run: () => void
}

const MAX_CASES = 8

/** Buttons, and links in their shape, that a person could press now. */
const PRESSABLE =
  ':is(main, header) :is(button, a.mantine-Button-root):not(:disabled, [aria-disabled="true"], [tabindex="-1"])'

/** Of several that have one name, none can be meant. A name has no signs in it that screen readers leave out. */
function actionsOnScreen(): readonly Entry[] {
  const named = [...document.querySelectorAll<HTMLElement>(PRESSABLE)].map((element) => {
    const copy = element.cloneNode(true) as HTMLElement
    for (const sign of copy.querySelectorAll('[aria-hidden="true"]')) sign.remove()
    return { element, label: (element.getAttribute('aria-label') ?? copy.textContent).trim() }
  })
  const isOne = (label: string): boolean => named.filter((one) => one.label === label).length === 1
  return named
    .filter(({ label }) => label !== '' && isOne(label))
    .map(({ element, label }) => ({ value: `action ${label}`, label, run: () => press(element) }))
}

/** With the next frame the dialog is gone. What counts only for a case in view is then in focus, and not done. */
function press(element: HTMLElement): void {
  requestAnimationFrame(() => {
    element.focus()
    element.click()
  })
}

function entryOf(route: Route, label: string, shown?: ReactNode): Entry {
  return { value: writeRoute(route), label, shown, run: () => goTo(route) }
}

function screens(): readonly Entry[] {
  return [
    ...NAV_SCREENS.map((screen) => entryOf({ screen }, t(`shell:screens.${screen}`))),
    ...SETTINGS_SECTIONS.map((section) =>
      entryOf(
        { screen: 'settings', section },
        joinTexts(t('shell:screens.settings'), t(`settings:section.${section}`)),
      ),
    ),
  ]
}

/** The cases that the station finds by a number, a name or a reference. */
function useCases(search: string): readonly Entry[] | null {
  const names = useNames()
  const input = search === '' ? null : { search, limit: MAX_CASES }
  const { value, isReading } = useAnswer('submissions.list', input)
  if (isReading) return null
  return (input && value ? value.items : []).map((one) =>
    entryOf(
      { screen: 'submission', id: one.id },
      one.reference,
      <>
        <strong className="tabular">{one.fields.history_number ?? t('queue:noHistoryNumber')}</strong>{' '}
        <bdi>{names.nameOf(one.fields)}</bdi> <span className="dim">{one.reference}</span>{' '}
        <CaseBadge of={one} />
      </>,
    ),
  )
}

export function Palette({ onClose }: { readonly onClose: () => void }) {
  const { text, setText, search } = useSearch()
  const [cameFrom] = useState(() => document.activeElement)
  const [all] = useState(() => ({ screens: screens(), actions: actionsOnScreen() }))
  const cases = useCases(search)
  const found = (entries: readonly Entry[]): readonly Entry[] =>
    entries.filter(({ label }) => isFound(text.trim(), [label]))
  const groups = [
    { label: t('shell:navigation'), entries: found(all.screens) },
    { label: t('case:columns.actions'), entries: found(all.actions) },
    { label: t('shell:screens.cases'), entries: cases ?? [] },
  ].filter(({ entries }) => entries.length > 0)
  const close = (): void => {
    onClose()
    restoreFocus(cameFrom instanceof HTMLElement ? cameFrom : null)
  }
  const combobox = useCombobox({ opened: true, onDropdownClose: close })
  // The first that a text finds is chosen; cases come last, so that one that arrives takes no other's place.
  useEffect(() => {
    if (combobox.getSelectedOptionIndex() === -1) combobox.selectFirstOption()
  })
  const submit = (value: string): void => {
    close()
    groups
      .flatMap(({ entries }) => entries)
      .find((entry) => entry.value === value)
      ?.run()
  }
  return (
    <Dialog opened onClose={close} title={t('shell:keys.does.find')} size="lg">
      <Combobox store={combobox} onOptionSubmit={submit}>
        <Combobox.EventsTarget>
          <TextInput
            data-autofocus
            aria-label={t('shell:keys.does.find')}
            value={text}
            onChange={(event) => {
              combobox.resetSelectedOption()
              setText(event.currentTarget.value)
            }}
            rightSection={cases === null && <Loader size="xs" />}
          />
        </Combobox.EventsTarget>
        <Combobox.Options
          mah="50vh"
          mt="sm"
          style={{ overflowY: 'auto' }}
          aria-label={t('shell:keys.does.find')}
        >
          {groups.map(({ label, entries }) => (
            <Combobox.Group key={label} label={label}>
              {entries.map((entry) => (
                <Combobox.Option key={entry.value} value={entry.value}>
                  {entry.shown ?? entry.label}
                </Combobox.Option>
              ))}
            </Combobox.Group>
          ))}
          {groups.length === 0 && cases !== null && (
            <Combobox.Empty>{t('shell:nothingFound')}</Combobox.Empty>
          )}
        </Combobox.Options>
      </Combobox>
    </Dialog>
  )
}
