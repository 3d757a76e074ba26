/** The files of the camera folders that are no part of a case, or came too late for one. Most need no action. */
import { Button, Group, Stack, UnstyledButton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { type Icon, IconChevronDown, IconChevronUp, IconFileUnknown } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { CallInput } from '../../src-shared/contract.ts'
import { useSearch } from '../components/browser.tsx'
import { FailureNotice, Instant, SearchInput, SmallButton } from '../components/controls.tsx'
import { formatCount } from '../format/numbers.ts'
import { messageOf, t } from '../i18n/i18n.ts'
import { useNames } from '../privacy/names.tsx'
import { useAnswer, useCall, useStation } from '../store/use-station.ts'
import css from './queue.module.css'

export function LeftAside() {
  const folders = useStation(({ status }) => status?.folders) ?? []
  const counts = folders.flatMap(({ noteCounts }) => Object.entries(noteCounts))
  const sum = (isMeant: (kind: string) => boolean): number =>
    counts.reduce((total, [kind, count]) => total + (isMeant(kind) ? count : 0), 0)
  const ignored = sum((kind) => kind !== 'arriving')
  const arriving = sum((kind) => kind === 'arriving')
  if (ignored + arriving === 0) return null
  const title =
    ignored > 0
      ? t('queue:leftAside.title', { count: ignored })
      : t('queue:leftAside.arriving', { count: arriving })
  const newest = folders.map(({ notes: [note] }) => note)
  return (
    <FoldedPanel icon={IconFileUnknown} title={title}>
      <FileList version={JSON.stringify([counts, newest])} />
    </FoldedPanel>
  )
}

function TryAgain(file: CallInput<'folders.tryAgain'>) {
  const { isBusy, failure, call } = useCall()
  return (
    <span>
      <SmallButton disabled={isBusy} onClick={() => void call('folders.tryAgain', file)}>
        {t('shell:tryAgain')}
      </SmallButton>
      {failure && <span role="alert"> {messageOf(failure)}</span>}
    </span>
  )
}

/** `version`: if it changes, the files are read again. */
function FileList({ version }: { readonly version: string }) {
  const { text, setText, search } = useSearch()
  return (
    <>
      <Stack gap={8} px={16} pb={8}>
        <p>{t('queue:leftAside.explain')}</p>
        <SearchInput label={t('queue:leftAside.search')} text={text} onWrite={setText} />
      </Stack>
      <ul role="list" className={css.notes} tabIndex={0} aria-label={t('queue:leftAside.list')}>
        <Page key={search} search={search} shownBefore={0} version={version} />
      </ul>
    </>
  )
}

type PageProps = {
  readonly search: string
  readonly after?: number
  /** How many files are on the pages before. */
  readonly shownBefore: number
  readonly version: string
}

/** A page, and those after it that were asked for. */
function Page({ search, after, shownBefore, version }: PageProps) {
  const asked = { search, ...(after !== undefined && { after }) }
  const { value, failure } = useAnswer('folders.leftAside', asked, version)
  const [isMoreShown, { open }] = useDisclosure(false)
  const names = useNames()
  if (value === null)
    return (
      failure && (
        <li className={css.note}>
          <FailureNotice failure={failure} tone="amber" />
        </li>
      )
    )
  const { items, total, next } = value
  const shown = shownBefore + items.length
  if (shown === 0) return <li className={css.note}>{t('queue:leftAside.none')}</li>
  return (
    <>
      {items.map(({ id, folderPath, fileName, kind, at, ...message }) => (
        <li key={id} className={css.note}>
          <span className="bold amber">{t(`queue:leftAside.kinds.${kind}`)}</span>
          <span className={css.text}>
            <strong title={folderPath}>{names.fileName(fileName)}</strong>
            <span>{messageOf(message).replaceAll(fileName, names.fileName(fileName))}</span>
            {kind === 'setAside' && <TryAgain path={folderPath} fileName={fileName} />}
          </span>
          <Instant at={at} className="dim" />
        </li>
      ))}
      {next !== null && isMoreShown && (
        <Page key={next} search={search} after={next} shownBefore={shown} version={version} />
      )}
      {next !== null && !isMoreShown && (
        <Group component="li" justify="space-between" className={css.note ?? ''}>
          <span className="tabular">
            {t('queue:shown', { shown: formatCount(shown), total: formatCount(total) })}
          </span>
          <Button size="compact-sm" variant="default" onClick={open}>
            {t('queue:loadMore')}
          </Button>
        </Group>
      )}
    </>
  )
}

type FoldedPanelProps = {
  readonly icon: Icon
  readonly title: string
  readonly tone?: 'amber'
  /** Drawn once it is opened. */
  readonly children: ReactNode
}

/** A line beside the rows of the queue, which opens to what it is about. */
export function FoldedPanel({ icon: Sign, title, tone, children }: FoldedPanelProps) {
  const [isOpen, { toggle }] = useDisclosure(false)
  const Fold = isOpen ? IconChevronUp : IconChevronDown
  return (
    <section className={css.panel} data-tone={tone} aria-label={title}>
      <UnstyledButton className={css.head} aria-expanded={isOpen} onClick={toggle}>
        <Sign size={18} stroke={1.8} aria-hidden />
        <span>{title}</span>
        <Fold size={16} aria-hidden />
      </UnstyledButton>
      {isOpen && children}
    </section>
  )
}
