import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconFileUnknown } from '@tabler/icons-react'
import { useMemo } from 'react'
import { formatExactly, formatInstant } from '../format/instants.ts'
import { useNames } from '../privacy/use-names.ts'
import { useStation } from '../store/use-station.ts'
import css from './left-aside.module.css'
import { said } from '../words/said.ts'
import { t } from '../words/t.ts'

/** Files of the camera folders that became no image or came late, with the sentence that says why. Quiet: most need nobody. */
export function SkippedFiles() {
  const folders = useStation((state) => state.status?.folders)
  const names = useNames()
  const [isOpen, { toggle }] = useDisclosure(false)
  const notes = useMemo(
    () =>
      (folders ?? [])
        .flatMap(({ path, notes }) => notes.map((note) => ({ ...note, path })))
        .filter(({ kind }) => kind !== 'arriving')
        .sort((one, other) => other.at - one.at),
    [folders],
  )
  if (notes.length === 0) return null
  return (
    <section className={css.panel} aria-label={t('queue:leftAside.title', { count: notes.length })}>
      <div className={css.head}>
        <IconFileUnknown size={18} stroke={1.8} aria-hidden />
        <span>{t('queue:leftAside.title', { count: notes.length })}</span>
        <Button size="compact-sm" variant="subtle" aria-expanded={isOpen} onClick={toggle}>
          {isOpen ? t('queue:leftAside.hide') : t('queue:leftAside.show')}
        </Button>
      </div>
      {isOpen && (
        <>
          <p className={css.explain}>{t('queue:leftAside.explain')}</p>
          <ul role="list" className={css.notes}>
            {notes.map(({ path, fileName, kind, message, at }) => (
              <li key={`${path}\n${fileName}`} className={css.note}>
                <span className={css.kind}>{t(`queue:leftAside.kinds.${kind}`)}</span>
                <span className={css.text}>
                  <strong title={path}>{names.fileName(fileName)}</strong>
                  <span>{said(message).replaceAll(fileName, names.fileName(fileName))}</span>
                </span>
                <time className="tabular dim" title={formatExactly(at)}>
                  {formatInstant(at)}
                </time>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  )
}
