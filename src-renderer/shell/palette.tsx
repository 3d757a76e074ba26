/** What Ctrl+K opens: one field that finds a case, a screen, a part of the settings, or an action of the screen that is shown. */
import { Combobox, TextInput, useCombobox } from '@mantine/core'
import i18next from 'i18next'
import { type ChangeEvent, type ReactNode, useId, useLayoutEffect, useState } from 'react'
import type { Texts } from '../../src-shared/texts/english.ts'
import { CaseBadge } from '../components/badges.tsx'
import { restoreFocus, useSearch } from '../components/browser.tsx'
import { Dialog } from '../components/dialog.tsx'
import { foldText, isFound, joinTexts, languageNow, t } from '../i18n/i18n.ts'
import { useNames } from '../privacy/names.tsx'
import { useAnswer } from '../store/use-station.ts'
import {
  goTo,
  NAV_SCREENS,
  type Route,
  SETTINGS_SECTIONS,
  type SettingsSection,
  writeRoute,
} from './navigation.tsx'

type Entry = { readonly value: string; readonly shown: ReactNode; readonly run: () => void }

const MAX_CASES = 8

/** The texts of each part of the settings, by which it is found: by any word on it. */
export const TEXTS_OF_SETTINGS = {
  clinic: ['clinic', 'notifications'],
  folders: ['folders', 'reading', 'columns', 'trial', 'patientList'],
  service: ['service', 'test', 'sending'],
  review: ['review', 'requirements', 'clinical'],
  reports: ['reports'],
  it: ['it', 'computer', 'about', 'updates', 'network', 'storage', 'sources', 'secretsKept'],
} as const satisfies Readonly<Record<SettingsSection, readonly (keyof Texts['settings'])[]>>

/** So few letters are in every part. */
const MIN_LETTERS = 4

/** By the beginnings of their words. Digits are of a case. */
function settingsFound(text: string): readonly Entry[] {
  if (text.length < MIN_LETTERS || /\d/.test(text)) return []
  const terms = foldText(text).split(/\s+/)
  return SETTINGS_SECTIONS.flatMap((section) => {
    const groups = TEXTS_OF_SETTINGS[section].map((name) =>
      i18next.getResource(languageNow(), 'settings', name),
    )
    const texts = groups
      .flatMap((group: object) => Object.values(group))
      .filter((one) => typeof one === 'string')
    const label = joinTexts(t('shell:screens.settings'), t(`settings:section.${section}`))
    const parts = foldText([label, ...texts].join(' ')).split(/[^\p{L}\p{M}]+/u)
    const isFoundHere = terms.every((term) => parts.some((part) => part.startsWith(term)))
    return isFoundHere ? [entryOf({ screen: 'settings', section }, label)] : []
  })
}

/** Buttons, and links in their shape, that a person could press now. */
const PRESSABLE =
  ':is(main, header) :is(button, a.mantine-Button-root):not(:disabled, [aria-disabled="true"], [tabindex="-1"])'

function entryOf(route: Route, shown: ReactNode): Entry {
  return { value: writeRoute(route), shown, run: () => goTo(route) }
}

/** Actions by what they are called, without the signs that screen readers leave out. Of several with one name none can be meant. */
function actionsOnScreen(): readonly (readonly [label: string, entry: Entry])[] {
  const elements = Map.groupBy(document.querySelectorAll<HTMLElement>(PRESSABLE), (element) => {
    const copy = element.cloneNode(true) as HTMLElement
    for (const sign of copy.querySelectorAll('[aria-hidden="true"]')) sign.remove()
    return (element.getAttribute('aria-label') ?? copy.textContent).trim()
  })
  return [...elements].flatMap(([label, [element, ...others]]) => {
    if (label === '' || element === undefined || others.length > 0) return []
    return [[label, { value: label, shown: label, run: () => press(element) }]]
  })
}

/** With the next frame the dialog is gone. What counts only for a case in view is then in focus, and not done. */
function press(element: HTMLElement): void {
  requestAnimationFrame(() => {
    element.focus()
    element.click()
  })
}

export function Palette({ onClose }: { readonly onClose: () => void }) {
  const { text, setText, search } = useSearch()
  const names = useNames()
  const [cameFrom] = useState(() => document.activeElement)
  const [named] = useState(() => [
    ...NAV_SCREENS.map((screen) => {
      const label = t(`shell:screens.${screen}`)
      return [label, entryOf({ screen }, label)] as const
    }),
    ...actionsOnScreen(),
  ])
  const input = search === '' ? null : { search, limit: MAX_CASES }
  const { value, isReading } = useAnswer('submissions.list', input)
  // What a text finds at once comes first: a case that comes later takes no other's place.
  const entries = named.flatMap(([label, entry]) => (isFound(text.trim(), [label]) ? [entry] : []))
  entries.push(...settingsFound(text.trim()))
  for (const found of input === null || isReading ? [] : (value?.items ?? []))
    entries.push(
      entryOf(
        { screen: 'submission', id: found.id },
        <>
          <strong className="tabular">{found.fields.history_number ?? t('queue:noHistoryNumber')}</strong>{' '}
          <bdi>{names.nameOf(found.fields)}</bdi> <span className="dim">{found.reference}</span>{' '}
          <CaseBadge of={found} />
        </>,
      ),
    )
  const close = (): void => {
    onClose()
    restoreFocus(cameFrom instanceof HTMLElement ? cameFrom : null)
  }
  // Rendered again once the list is there, so that the input names it, by an id that stays.
  const listId = useId()
  const [, setList] = useState<HTMLDivElement | null>(null)
  const combobox = useCombobox({ opened: true, onDropdownClose: close })
  useLayoutEffect(() => {
    if (combobox.getSelectedOptionIndex() === -1) combobox.selectFirstOption()
  })
  const label = t('help:keys.does.find')
  const isDone = !isReading && search === text.trim()
  const write = ({ currentTarget }: ChangeEvent<HTMLInputElement>): void => {
    combobox.resetSelectedOption()
    setText(currentTarget.value)
  }
  const submit = (chosen: string): void => {
    close()
    entries.find((entry) => entry.value === chosen)?.run()
  }
  return (
    <Dialog opened onClose={close} title={label} size="lg">
      <Combobox store={combobox} onOptionSubmit={submit}>
        <Combobox.EventsTarget withExpandedAttribute>
          <TextInput data-autofocus aria-label={label} value={text} onChange={write} />
        </Combobox.EventsTarget>
        <Combobox.Options
          ref={setList}
          id={listId}
          mah="50vh"
          mt="sm"
          style={{ overflowY: 'auto' }}
          aria-label={label}
        >
          {entries.map((entry) => (
            <Combobox.Option key={entry.value} value={entry.value}>
              {entry.shown}
            </Combobox.Option>
          ))}
          {entries.length === 0 && isDone && <Combobox.Empty>{t('shell:nothingFound')}</Combobox.Empty>}
        </Combobox.Options>
      </Combobox>
    </Dialog>
  )
}
