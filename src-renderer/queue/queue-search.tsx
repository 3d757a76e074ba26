import { CloseButton, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useState } from 'react'
import { useSession, useStation } from '../store/use-station.ts'

import css from './queue-screen.module.css'
import { t } from '../words/t.ts'
/** Long enough for a word, short enough to feel immediate. */
const PAUSE_MS = 250

/** Search as you type; the station does the searching. */
export function QueueSearch() {
  const session = useSession()
  const asked = useStation((state) => state.queue.search)
  const [text, setText] = useState(asked)
  const [lastAsked, setLastAsked] = useState(asked)
  // Another place cleared the search; what is being typed here stays as it is typed.
  if (asked !== lastAsked) {
    setLastAsked(asked)
    if (asked !== text.trim()) setText(asked)
  }
  const ask = useDebouncedCallback((search: string) => session.showQueue({ search: search.trim() }), PAUSE_MS)
  const write = (search: string): void => {
    setText(search)
    ask(search)
  }
  return (
    <TextInput
      type="search"
      role="searchbox"
      className={css.search ?? ''}
      aria-label={t('queue:search')}
      placeholder={t('queue:search')}
      leftSection={<IconSearch size={17} aria-hidden />}
      value={text}
      onChange={(event) => write(event.currentTarget.value)}
      onKeyDown={(event) => event.key === 'Escape' && write('')}
      rightSection={
        text !== '' && <CloseButton size="sm" aria-label={t('queue:clearSearch')} onClick={() => write('')} />
      }
    />
  )
}
