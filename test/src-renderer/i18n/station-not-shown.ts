/** Texts of the station that no screen shows, each with the reason. */

/** Sources of which no text reaches a screen. */
export const NOT_SHOWN_OF: Readonly<Record<string, string>> = {
  'src-main/station/settings/config-file.ts': 'said by the host before there are screens',
  'src-main/station/outbox/database.ts': 'said by the host before there are screens',
  'src-main/station/outbox/migrations/migrate.ts': 'for the log; the screens are told by backup-outbox.ts',
  'src-main/station/outbox/recovery/recover.ts': 'said to whoever recovers, before there are screens',
  'src-main/station/outbox/recovery/salvage.ts': 'said to whoever recovers, before there are screens',
  'src-main/station/calls/diagnostics.ts': 'the text for whoever helps, in English for all of them',
  'src-main/station/calls/redact.ts': 'the text for whoever helps, in English for all of them',
  'src-main/station/intake/names/names.ts': 'words that are looked for in names',
  'src-main/station/intake/data-files/names.ts': 'words that are looked for in headings',
  'src-main/station/intake/data-files/values.ts': 'words that are looked for in data files',
  'src-main/station/intake/data-files/documents.ts': 'words that are looked for in data files',
  'src-main/station/service/reports.ts': 'words that are looked for in answers',
  'src-main/station/lib/export-names.ts': 'extensions of files',
  'src-main/station/lib/files.ts': 'an error that is known by its code; the screens are told by its readers',
  'src-main/station/intake/file-structure.ts': 'an error of the program',
  'src-main/station/intake/images/bmp.ts': 'why, for the log; the screens are told by note-texts.ts',
  'src-main/station/intake/images/jpeg.ts': 'why, for the log; the screens are told by note-texts.ts',
  'src-main/station/intake/images/png.ts': 'why, for the log; the screens are told by note-texts.ts',
  'src-main/station/intake/images/tiff.ts': 'why, for the log; the screens are told by note-texts.ts',
  'src-main/station/intake/dicom/kind.ts': 'why, for the log; the screens are told by note-texts.ts',
  'src-main/station/intake/dicom/values.ts': 'why, for the log; the screens are told by note-texts.ts',
  'src-main/station/intake/dicom/dicom.ts': 'why, for the log; the screens are told by note-texts.ts',
  'src-main/station/intake/zip.ts': 'why, for the log; the screens are told by list-zip.ts',
  'src-main/station/intake/evidence.ts': 'a position, compared and not shown',
  'src-main/station/outbox/transitions.ts': 'an error of the program, and columns of the outbox',
  'src-main/station/outbox/open-outbox.ts': 'for SQLite',
  'src-main/station/json-columns.ts': 'an error of the program, and for SQLite',
  'src-main/station/outbox/images.ts': 'for SQLite',
  'src-main/station/outbox/restored-copy.ts': 'said by the host before there are screens',
  'src-main/station/settings/enrolment.ts': 'for the log; the screens are told by managed-files.tsx',
  'src-main/station/ports.ts': 'an error; the screens are told by take-token.ts and settings-store.ts',
  'src-main/station/service/post-case.ts': 'for the log; the screens are told by the kind of the failure',
  'src-main/station/service/http.ts': 'for the log; the screens are told by failure-from-error.ts',
}

const NAME_OF_LOOP = 'the name of a loop, for the log'
const FORM = 'what a form had to be, told in brackets to whoever wrote the request'

/** Single texts. */
export const NOT_SHOWN: Readonly<Record<string, string>> = {
  'the station, by waiting': 'who mends it, compared and not shown',
  'a person here': 'who mends it, compared and not shown',
  'the service': 'who mends it, compared and not shown',
  'a real date as YYYY-MM-DD': FORM,
  'small letters, digits and dashes': FORM,
  'a reference such as FC7K3M9QXAW': FORM,
  'an https address such as https://service.example/api (http only on this machine)': FORM,
  'following up': NAME_OF_LOOP,
  'watching the disk': NAME_OF_LOOP,
  'closing cases': NAME_OF_LOOP,
  'keeping manifests': NAME_OF_LOOP,
  'copying reports': NAME_OF_LOOP,
  'asking for reports': NAME_OF_LOOP,
  'removing old images': NAME_OF_LOOP,
  'a person stopped the transfer': 'for the log',
  'an image in the spool is not what it was': 'for the log',
  'an attempt stopped unexpectedly': 'for the log',
  'an attempt could not be read at the end': 'for the log',
  'the end of an attempt stopped unexpectedly': 'for the log',
  'an attempt that stopped could not be ended': 'for the log',
  'The file was not spooled: {{1}}.': 'for the log; the screens are told by the trouble itself',
  'The outbox is not written any more.': 'an error of the program; the screens are told by keep-storage.ts',
  'part {{1}}': 'a key, not shown',
  'The settings in the data folder (settings.json) cannot be read. Restore the file from a backup, or remove it and enter the settings again.':
    'said by the host before there are screens',
  'The disk of this computer is full, so the station cannot start. Nothing is lost, and nothing was sent. Free some space and start again.':
    'said by the host before there are screens',
  'The disk of the data folder fails, so the station cannot start. Nothing was sent. Check the disk; restore the data folder from a backup if it is damaged.':
    'said by the host before there are screens',
  'SQLite format 3': 'for SQLite',
  'first_version_at IS NOT NULL AND read_at IS NULL': 'for SQLite',
  'Bearer {{1}}': 'for the service',
  '{{1}} AND (? OR submissions.center_id IS ?)': 'for SQLite',
}
