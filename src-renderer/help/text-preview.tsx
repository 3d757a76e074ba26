import { ActionIcon, Group, TextInput } from '@mantine/core'
import { IconChevronDown, IconChevronUp, IconSearch } from '@tabler/icons-react'
import { useMemo, useState, type KeyboardEvent } from 'react'
import { t } from '../words/t.ts'
import css from './diagnostics.module.css'
import { splitAtMatches, stepMatch } from './find-in-text.ts'

/** A long text to be read before it is given away: it scrolls, and words in it can be found. */
export function TextPreview({ text }: { readonly text: string }) {
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
    <div className={css.preview}>
      <div className={css.head}>
        <p>
          {t('help:diagnostics.preview')}{' '}
          <span className="dim tabular">({t('help:diagnostics.size', { count: lines })})</span>
        </p>
        <Group gap={6} wrap="nowrap">
          <TextInput
            type="search"
            aria-label={t('help:diagnostics.search')}
            placeholder={t('help:diagnostics.search')}
            leftSection={<IconSearch size={16} aria-hidden />}
            value={query}
            onChange={(event) => {
              setQuery(event.currentTarget.value)
              setCurrent(0)
            }}
            onKeyDown={press}
          />
          <ActionIcon
            variant="default"
            size={36}
            aria-label={t('help:diagnostics.previous')}
            disabled={count === 0}
            onClick={() => step(-1)}
          >
            <IconChevronUp size={17} aria-hidden />
          </ActionIcon>
          <ActionIcon
            variant="default"
            size={36}
            aria-label={t('help:diagnostics.next')}
            disabled={count === 0}
            onClick={() => step(1)}
          >
            <IconChevronDown size={17} aria-hidden />
          </ActionIcon>
          <span className={css.count} role="status">
            {query.trim() === ''
              ? ''
              : count === 0
                ? t('help:diagnostics.notFound')
                : t('help:diagnostics.found', { index: current + 1, count })}
          </span>
        </Group>
      </div>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a place that scrolls takes the focus, or the keyboard cannot scroll it */}
      <pre className={css.text} tabIndex={0} role="region" aria-label={t('help:diagnostics.preview')}>
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
    </div>
  )
}

/** Called by React with the place that is the current one from now on. */
function scrollToMatch(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: 'nearest' })
}
