/** The diagnostics: a preview with a search, and the download. */
import { Group, Stack } from '@mantine/core'
import { IconChevronDown, IconChevronUp, IconDeviceFloppy, IconReportAnalytics } from '@tabler/icons-react'
import { type KeyboardEvent, useMemo, useState } from 'react'
import type { CallOutput } from '../../src-shared/contract.ts'
import { offerDownload } from '../components/browser.tsx'
import { ActionButton, CopyAction, FailureNotice, IconAction, SearchInput } from '../components/controls.tsx'
import { Dialog } from '../components/dialog.tsx'
import { t } from '../i18n/i18n.ts'
import { showToast } from '../shell/toast.tsx'
import { useCall } from '../store/use-station.ts'
import css from './diagnostics.module.css'

type TextPiece = {
  readonly text: string
  /** The index of the match, from 0; null for the text between matches. */
  readonly match: number | null
}

/** More matches than anyone steps through; each one is an element. */
const MAX_MATCHES = 2_000

/** Splits a text at every case-insensitive match. Joined, the pieces are the text. */
export function splitAtMatches(text: string, query: string): TextPiece[] {
  const wanted = query.trim().toLowerCase()
  // Letters whose lower case is longer would shift every later match.
  const small = text.toLowerCase().length === text.length ? text.toLowerCase() : text
  if (wanted === '') return [{ text, match: null }]
  const pieces: TextPiece[] = []
  let from = 0
  for (let index = 0; index < MAX_MATCHES; index += 1) {
    const at = small.indexOf(wanted, from)
    if (at < 0) break
    if (at > from) pieces.push({ text: text.slice(from, at), match: null })
    pieces.push({ text: text.slice(at, at + wanted.length), match: index })
    from = at + wanted.length
  }
  if (from < text.length) pieces.push({ text: text.slice(from), match: null })
  return pieces
}

export function stepMatch(match: number, count: number, by: 1 | -1): number {
  return count === 0 ? 0 : (match + by + count) % count
}

function TextPreview({ text }: { readonly text: string }) {
  const [query, setQuery] = useState('')
  const [current, setCurrent] = useState(0)
  const pieces = useMemo(() => splitAtMatches(text, query), [text, query])
  const count = pieces.filter((piece) => piece.match !== null).length

  const step = (by: 1 | -1): void => setCurrent((before) => stepMatch(before, count, by))
  const press = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter') return
    event.preventDefault()
    step(event.shiftKey ? -1 : 1)
  }
  const lines = text.split('\n').length - 1
  return (
    <Stack gap={8} miw={0}>
      <Group gap="8px 16px" justify="space-between">
        <p>
          {t('help:diagnostics.preview')}{' '}
          <span className="dim tabular">({t('help:diagnostics.size', { count: lines })})</span>
        </p>
        <Group gap={6} wrap="nowrap">
          <SearchInput
            label={t('help:diagnostics.search')}
            text={query}
            onWrite={(text) => {
              setQuery(text)
              setCurrent(0)
            }}
            onKeyDown={press}
          />
          {([-1, 1] as const).map((by) => (
            <IconAction
              key={by}
              variant="default"
              label={by < 0 ? t('help:diagnostics.previous') : t('help:diagnostics.next')}
              icon={by < 0 ? IconChevronUp : IconChevronDown}
              disabled={count === 0}
              onClick={() => step(by)}
            />
          ))}
          <span className="small dim tabular" role="status" style={{ minWidth: 96 }}>
            {query.trim() === ''
              ? ''
              : count === 0
                ? t('help:diagnostics.notFound')
                : t('help:diagnostics.found', { index: current + 1, count })}
          </span>
        </Group>
      </Group>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- an element that scrolls takes the focus, or the keyboard cannot scroll it */}
      <pre
        className={`verbatim ${css.text}`}
        tabIndex={0}
        role="region"
        aria-label={t('help:diagnostics.preview')}
      >
        {pieces.map((piece, index) =>
          piece.match === null ? (
            piece.text
          ) : (
            <mark
              // oxlint-disable-next-line react/no-array-index-key -- the pieces of a text have no other name than their order
              key={index}
              ref={piece.match === current ? scrollToMatch : null}
              data-current={piece.match === current || undefined}
            >
              {piece.text}
            </mark>
          ),
        )}
      </pre>
    </Stack>
  )
}

/** Called by React with the element of the current match. */
function scrollToMatch(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: 'nearest' })
}

const EXCLUDED = ['patients', 'files', 'people', 'service', 'secrets'] as const

/** Creates the diagnostics, shows exactly what will be saved, and offers the download; adds a screen's own error. */
export function Diagnostics({ screenError = '' }: { readonly screenError?: string }) {
  const { isBusy, failure, call } = useCall()
  const [made, setMade] = useState<CallOutput<'station.diagnostics'> | null>(null)

  const make = async (): Promise<void> => {
    const value = await call('station.diagnostics', {})
    if (value) setMade({ ...value, text: [value.text, screenError].filter(Boolean).join('\n') })
    else if (screenError !== '') setMade({ fileName: 'fundus-courier-screens.txt', text: screenError })
  }
  return (
    <Stack gap={12} miw={0}>
      <p className="dim">{t('help:diagnostics.explain')}</p>
      <div className={css.leftOut}>
        <strong>{t('help:diagnostics.leftOut')}</strong>
        <ul>
          {EXCLUDED.map((what) => (
            <li key={what}>{t(`help:diagnostics.leftOutList.${what}`)}</li>
          ))}
        </ul>
      </div>
      <Group gap="sm">
        <ActionButton
          variant={made === null ? 'filled' : 'default'}
          icon={IconReportAnalytics}
          loading={isBusy}
          onClick={() => void make()}
        >
          {made === null ? t('help:diagnostics.make') : t('help:diagnostics.again')}
        </ActionButton>
        {made !== null && (
          <>
            <ActionButton variant="filled" icon={IconDeviceFloppy} onClick={() => save(made)}>
              {t('shell:save')}
            </ActionButton>
            <CopyAction text={made.text} label={t('help:diagnostics.copy')} />
          </>
        )}
      </Group>
      {failure && (
        <FailureNotice failure={failure} tone="amber">
          {made !== null && <p>{t('help:diagnostics.withoutStation')}</p>}
        </FailureNotice>
      )}
      {made !== null && <TextPreview text={made.text} />}
    </Stack>
  )
}

function save({ fileName, text }: CallOutput<'station.diagnostics'>): void {
  offerDownload(new Blob([text], { type: 'text/plain;charset=utf-8' }), fileName)
  showToast({ tone: 'green', message: t('help:diagnostics.saved', { name: fileName }) })
}

type CrashDiagnosticsProps = { readonly errorText: string; readonly onClose: () => void }

export function CrashDiagnostics({ errorText, onClose }: CrashDiagnosticsProps) {
  return (
    <Dialog opened onClose={onClose} size="xl" title={t('shell:crash.diagnostics')}>
      <Diagnostics screenError={errorText} />
    </Dialog>
  )
}
