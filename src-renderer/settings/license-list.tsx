import { Button, Loader, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useState } from 'react'
import { t } from '../words/t.ts'
import css from './license-list.module.css'
import { readLicenses, type Licenses } from './read-licenses.ts'
import screen from './settings-screen.module.css'

type Shown =
  | { readonly kind: 'closed' | 'reading' | 'missing' }
  | { readonly kind: 'open'; readonly all: Licenses }

/** Everything that is shipped, with its license and its text; read when somebody asks for it. */
export function LicenseList() {
  const [shown, setShown] = useState<Shown>({ kind: 'closed' })
  const open = async (): Promise<void> => {
    setShown({ kind: 'reading' })
    const all = await readLicenses()
    setShown(all === null ? { kind: 'missing' } : { kind: 'open', all })
  }
  return (
    <section className={screen.card} aria-labelledby="licenses">
      <div className={screen.foot}>
        <div className={screen.gap}>
          <h3 id="licenses">{t('settings:about.licenses')}</h3>
          <p className="dim">{t('settings:about.licensesExplain')}</p>
        </div>
        {shown.kind === 'closed' && (
          <Button variant="default" onClick={() => void open()}>
            {t('settings:about.showLicenses')}
          </Button>
        )}
      </div>
      {shown.kind === 'reading' && <Loader size="sm" aria-label={t('settings:about.licenses')} />}
      {shown.kind === 'missing' && <p role="status">{t('settings:about.licensesMissing')}</p>}
      {shown.kind === 'open' && <Packages all={shown.all} />}
    </section>
  )
}

function Packages({ all }: { readonly all: Licenses }) {
  const [search, setSearch] = useState('')
  const found = all.packages.filter(({ name }) => name.toLowerCase().includes(search.trim().toLowerCase()))
  return (
    <>
      <div className={css.search}>
        <TextInput
          type="search"
          aria-label={t('settings:about.licenseSearch')}
          placeholder={t('settings:about.licenseSearch')}
          leftSection={<IconSearch size={17} aria-hidden />}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
        <span role="status" className="dim tabular">
          {t('settings:about.licenseCount', { count: found.length })}
        </span>
      </div>
      {found.length === 0 && <p className="dim">{t('settings:about.licenseNone')}</p>}
      <ul role="list" className={css.list}>
        {found.map(({ name, version, license, text }) => (
          <li key={`${name} ${version}`}>
            <details>
              <summary className={css.head}>
                <span className={css.name}>
                  {name} <span className="dim tabular">{version}</span>
                </span>
                <span className={css.license}>{license ?? t('settings:about.licenseUnstated')}</span>
              </summary>
              <pre className={css.text} tabIndex={0} aria-label={name}>
                {(text === null ? undefined : all.texts[text]) ?? t('settings:about.licenseNoText')}
              </pre>
            </details>
          </li>
        ))}
      </ul>
    </>
  )
}
