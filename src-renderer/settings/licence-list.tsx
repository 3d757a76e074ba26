import { Button, Loader, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useState } from 'react'
import { t } from '../words/t.ts'
import css from './licence-list.module.css'
import { readLicences, type Licences } from './read-licences.ts'
import screen from './settings-screen.module.css'

type Shown =
  | { readonly kind: 'closed' | 'reading' | 'missing' }
  | { readonly kind: 'open'; readonly all: Licences }

/** Everything that is shipped, with its licence and its text; read when somebody asks for it. */
export function LicenceList() {
  const [shown, setShown] = useState<Shown>({ kind: 'closed' })
  const open = async (): Promise<void> => {
    setShown({ kind: 'reading' })
    const all = await readLicences()
    setShown(all === null ? { kind: 'missing' } : { kind: 'open', all })
  }
  return (
    <section className={screen.card} aria-labelledby="licences">
      <div className={screen.foot}>
        <div className={screen.gap}>
          <h3 id="licences">{t('settings:about.licences')}</h3>
          <p className="dim">{t('settings:about.licencesExplain')}</p>
        </div>
        {shown.kind === 'closed' && (
          <Button variant="default" onClick={() => void open()}>
            {t('settings:about.showLicences')}
          </Button>
        )}
      </div>
      {shown.kind === 'reading' && <Loader size="sm" aria-label={t('settings:about.licences')} />}
      {shown.kind === 'missing' && <p role="status">{t('settings:about.licencesMissing')}</p>}
      {shown.kind === 'open' && <Packages all={shown.all} />}
    </section>
  )
}

function Packages({ all }: { readonly all: Licences }) {
  const [search, setSearch] = useState('')
  const found = all.packages.filter(({ name }) => name.toLowerCase().includes(search.trim().toLowerCase()))
  return (
    <>
      <div className={css.search}>
        <TextInput
          type="search"
          aria-label={t('settings:about.licenceSearch')}
          placeholder={t('settings:about.licenceSearch')}
          leftSection={<IconSearch size={17} aria-hidden />}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
        <span role="status" className="dim tabular">
          {t('settings:about.licenceCount', { count: found.length })}
        </span>
      </div>
      {found.length === 0 && <p className="dim">{t('settings:about.licenceNone')}</p>}
      <ul role="list" className={css.list}>
        {found.map(({ name, version, licence, text }) => (
          <li key={`${name} ${version}`}>
            <details>
              <summary className={css.head}>
                <span className={css.name}>
                  {name} <span className="dim tabular">{version}</span>
                </span>
                <span className={css.licence}>{licence ?? t('settings:about.licenceUnstated')}</span>
              </summary>
              <pre className={css.text} tabIndex={0} aria-label={name}>
                {(text === null ? undefined : all.texts[text]) ?? t('settings:about.licenceNoText')}
              </pre>
            </details>
          </li>
        ))}
      </ul>
    </>
  )
}
