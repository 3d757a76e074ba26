import { SentenceBook } from '../../src-shared/sentence-book.ts'
import type { NoticeKind } from '../station/ports.ts'

/** The languages that the host itself speaks: the tray, notices and dialogs. The same as those of the screens. */
const HOST_LANGUAGES = ['en', 'es'] as const

export type HostLanguage = (typeof HOST_LANGUAGES)[number]

/** Is it a language that the host speaks? */
export function isHostLanguage(text: unknown): text is HostLanguage {
  return (HOST_LANGUAGES as readonly unknown[]).includes(text)
}

/**
 * The language for what was asked for, the first wish first: tags such as `es-MX`, as systems and `--lang` write them.
 * English where the host speaks none of them.
 */
export function hostLanguageFor(wanted: readonly string[]): HostLanguage {
  for (const tag of wanted) {
    const [base = ''] = tag.toLowerCase().split(/[-_]/)
    if (isHostLanguage(base)) return base
  }
  return 'en'
}

type LifeWords = {
  /** Quitting while cases wait. */
  readonly quitTitle: (onTheWay: number) => string
  readonly quitDetail: string
  readonly quitDetailNotSending: string
  readonly keepRunning: string
  readonly sendFirst: string
  readonly quitNow: string
  /** The first time that the window is closed. */
  readonly closedTitle: string
  readonly closedDetail: string
  readonly understood: string
  /** A second start that cannot show the window of the first. */
  readonly silent: (pid: number) => string
  readonly otherHost: (hostName: string, lockPath: string) => string
  readonly otherAccount: (pid: number) => string
  /** The page in place of screens that fail again and again. */
  readonly failedTitle: string
  readonly failedBody: string
  readonly failedSafe: string
  readonly failedLogs: string
  readonly tryAgain: string
}

/** The end of the app, its window that closes, and screens that fail. */
export const lifeWords: Readonly<Record<HostLanguage, LifeWords>> = {
  en: {
    quitTitle: (onTheWay) =>
      onTheWay === 1 ? 'One case is not sent yet' : `${onTheWay} cases are not sent yet`,
    quitDetail:
      'Nothing is lost: cases that wait are kept on this computer and go on at the next start. As long as Fundus Courier does not run, no images are taken in and nothing is sent.',
    quitDetailNotSending:
      'They are not being sent at the moment. Nothing is lost: cases that wait are kept on this computer until the next start. As long as Fundus Courier does not run, no images are taken in and nothing is sent.',
    keepRunning: 'Keep running',
    sendFirst: 'Send first, then quit',
    quitNow: 'Quit now',
    closedTitle: 'Fundus Courier goes on in the background',
    closedDetail:
      'It takes in images and sends cases as before. To see the window again, click its mark beside the clock or start Fundus Courier once more. To end it, choose Quit in the menu of that mark.',
    understood: 'Understood',
    silent: (pid) =>
      `Fundus Courier is running already (process ${pid}), but it has not answered for some minutes. All cases are kept. End that process or restart the computer, then start it again.`,
    otherHost: (hostName, lockPath) =>
      `Fundus Courier is running already on the computer ${hostName}, with the same folder of this account. If it is not running there, because that computer is gone or has another name now, remove the file ${lockPath} and start again. All cases are kept.`,
    otherAccount: (pid) =>
      `Fundus Courier is running already under another account of this computer (process ${pid}). Use it there, or have it ended there, then start it again. All cases are kept.`,
    failedTitle: 'The screens stopped several times',
    failedBody: 'They are not shown any more until you try again.',
    failedSafe:
      'The station itself goes on without them: it takes in images and sends cases as before. Nothing is lost.',
    failedLogs:
      'If it happens again, tell the administrator. What happened stands in the log files of this folder:',
    tryAgain: 'Try again',
  },
  es: {
    quitTitle: (onTheWay) =>
      onTheWay === 1 ? 'Un caso aún no se ha enviado' : `${onTheWay} casos aún no se han enviado`,
    quitDetail:
      'No se pierde nada: los casos en espera se conservan en este equipo y continúan en el próximo inicio. Mientras Fundus Courier no funcione, no se reciben imágenes ni se envía nada.',
    quitDetailNotSending:
      'En este momento no se están enviando. No se pierde nada: los casos en espera se conservan en este equipo hasta el próximo inicio. Mientras Fundus Courier no funcione, no se reciben imágenes ni se envía nada.',
    keepRunning: 'Seguir funcionando',
    sendFirst: 'Enviar primero y después salir',
    quitNow: 'Salir ahora',
    closedTitle: 'Fundus Courier sigue funcionando en segundo plano',
    closedDetail:
      'Recibe imágenes y envía casos como antes. Para volver a ver la ventana, haga clic en su icono junto al reloj o inicie Fundus Courier otra vez. Para terminarlo, elija Salir en el menú de ese icono.',
    understood: 'Entendido',
    silent: (pid) =>
      `Fundus Courier ya está funcionando (proceso ${pid}), pero no responde desde hace unos minutos. Se conservan todos los casos. Termine ese proceso o reinicie el equipo y vuelva a iniciarlo.`,
    otherHost: (hostName, lockPath) =>
      `Fundus Courier ya está funcionando en el equipo ${hostName}, con la misma carpeta de esta cuenta. Si no funciona allí, porque ese equipo ya no existe o ahora tiene otro nombre, elimine el archivo ${lockPath} y vuelva a iniciarlo. Se conservan todos los casos.`,
    otherAccount: (pid) =>
      `Fundus Courier ya está funcionando con otra cuenta de este equipo (proceso ${pid}). Úselo allí, o haga que se termine allí y vuelva a iniciarlo. Se conservan todos los casos.`,
    failedTitle: 'Las pantallas se detuvieron varias veces',
    failedBody: 'No se muestran más hasta que vuelva a intentarlo.',
    failedSafe:
      'La estación sigue funcionando sin ellas: recibe imágenes y envía casos como antes. No se pierde nada.',
    failedLogs:
      'Si vuelve a ocurrir, avise al administrador. Lo ocurrido consta en los archivos de registro de esta carpeta:',
    tryAgain: 'Intentar de nuevo',
  },
}

type NoticeText = {
  /** What happened, for a count of them. */
  readonly title: (count: number) => string
  /** What it means and what to do. */
  readonly body: string
}

/** Of what there is only one at a time, the count says nothing. */
function always(title: string): NoticeText['title'] {
  return () => title
}

/** The notices of the system. No name and no number of a patient: anybody may stand before the screen. */
export const noticeWords: Readonly<Record<HostLanguage, Readonly<Record<NoticeKind, NoticeText>>>> = {
  en: {
    alarm: {
      title: (count) =>
        count === 1 ? 'Something may have gone wrong' : `${count} things may have gone wrong`,
      body: 'Open Fundus Courier and read what it means before you send or decide anything.',
    },
    urgentReport: {
      title: (count) =>
        count === 1 ? 'An urgent report has arrived' : `${count} urgent reports have arrived`,
      body: 'Open Fundus Courier to read it now.',
    },
    storage: {
      title: always('Storage problem'),
      body: 'Nothing is sent, to keep what is there. Check the disk of this computer and restart Fundus Courier.',
    },
    signedOut: {
      title: always('Signed out: nothing is sent'),
      body: 'All cases are kept. Ask the administrator to check the client id and secret.',
    },
    needsAttention: {
      title: (count) => (count === 1 ? 'A case needs attention' : `${count} cases need attention`),
      body: 'Not sent. Open Fundus Courier to see what is wrong.',
    },
    diskLow: {
      title: always('The disk is nearly full'),
      body: 'No new images are taken in until there is space. Free some space on this computer.',
    },
    folderUnreachable: {
      title: (count) =>
        count === 1 ? 'A camera folder cannot be reached' : `${count} camera folders cannot be reached`,
      body: 'New images are not taken in. Check the camera, the drive or the network share.',
    },
    serviceAway: {
      title: always('The service has not answered for an hour'),
      body: 'All cases are kept and go out by themselves when it answers. If the internet works, tell the administrator.',
    },
    waitsTooLong: {
      title: (count) => (count === 1 ? 'A case has waited too long' : `${count} cases have waited too long`),
      body: 'Not sent, or not known to have arrived. Open Fundus Courier to see what to do.',
    },
    reportArrived: {
      title: (count) => (count === 1 ? 'A report has arrived' : `${count} reports have arrived`),
      body: 'Open Fundus Courier to read it.',
    },
  },
  es: {
    alarm: {
      title: (count) =>
        count === 1 ? 'Algo puede haber salido mal' : `${count} cosas pueden haber salido mal`,
      body: 'Abra Fundus Courier y lea qué significa antes de enviar o decidir nada.',
    },
    urgentReport: {
      title: (count) =>
        count === 1 ? 'Ha llegado un informe urgente' : `Han llegado ${count} informes urgentes`,
      body: 'Abra Fundus Courier para leerlo ahora.',
    },
    storage: {
      title: always('Problema de almacenamiento'),
      body: 'No se envía nada, para conservar lo que hay. Compruebe el disco de este equipo y reinicie Fundus Courier.',
    },
    signedOut: {
      title: always('Sesión cerrada: no se envía nada'),
      body: 'Se conservan todos los casos. Pida al administrador que compruebe el identificador y el secreto del cliente.',
    },
    needsAttention: {
      title: (count) => (count === 1 ? 'Un caso requiere atención' : `${count} casos requieren atención`),
      body: 'No enviado. Abra Fundus Courier para ver qué ocurre.',
    },
    diskLow: {
      title: always('El disco está casi lleno'),
      body: 'No se reciben imágenes nuevas hasta que haya espacio. Libere espacio en este equipo.',
    },
    folderUnreachable: {
      title: (count) =>
        count === 1
          ? 'No se puede acceder a una carpeta de la cámara'
          : `No se puede acceder a ${count} carpetas de la cámara`,
      body: 'No se reciben imágenes nuevas. Compruebe la cámara, la unidad o la carpeta de red.',
    },
    serviceAway: {
      title: always('El servicio no responde desde hace una hora'),
      body: 'Se conservan todos los casos y se envían solos cuando responda. Si hay internet, avise al administrador.',
    },
    waitsTooLong: {
      title: (count) =>
        count === 1
          ? 'Un caso lleva demasiado tiempo en espera'
          : `${count} casos llevan demasiado tiempo en espera`,
      body: 'No enviado, o no consta que haya llegado. Abra Fundus Courier para ver qué hacer.',
    },
    reportArrived: {
      title: (count) => (count === 1 ? 'Ha llegado un informe' : `Han llegado ${count} informes`),
      body: 'Abra Fundus Courier para leerlo.',
    },
  },
}

type RecoveryWords = {
  readonly recover: string
  readonly quit: string
  readonly go: string
  readonly detail: string
  readonly unchanged: string
}

/** Where the outbox cannot be opened as it is. */
export const recoveryWords: Readonly<Record<HostLanguage, RecoveryWords>> = {
  en: {
    recover: 'Recover',
    quit: 'Quit',
    go: 'Continue',
    detail:
      'Recover sets the outbox that is there aside and builds it anew; nothing is deleted. Cases that are not known as sent are looked for at the service, and none goes again without evidence. Quit leaves all as it is.',
    unchanged: 'Nothing was changed.',
  },
  es: {
    recover: 'Recuperar',
    quit: 'Salir',
    go: 'Continuar',
    detail:
      'Recuperar aparta la bandeja de salida actual y la reconstruye; no se borra nada. Los casos que no consten como enviados se buscan en el servicio, y ninguno se vuelve a enviar sin pruebas. Salir deja todo como está.',
    unchanged: 'No se ha cambiado nada.',
  },
}

// What the station says before there are screens that could translate it, in Spanish by its English: why it cannot be
// opened, and what a recovery has done. What is said once the screens are there stands in their own book.

const spanish = new SentenceBook({
  sentences: {
    'Nothing was sent.': 'No se envió nada.',
    'Nothing was sent. It can be built anew from its last backup and from the notes that lie beside the images.':
      'No se envió nada. Se puede reconstruir a partir de su última copia de seguridad y de las notas que acompañan a las imágenes.',
    'The outbox file is damaged, and was left as it is.':
      'El archivo de la bandeja de salida está dañado, y se dejó como estaba.',
    'The outbox of this station is missing, although the station was used before.':
      'Falta la bandeja de salida de esta estación, aunque la estación ya se usó antes.',
    'The outbox file is damaged or is not one of ours, and was left as it is.':
      'El archivo de la bandeja de salida está dañado o no es nuestro, y se dejó como estaba.',
    'Another Fundus Courier already works with this data folder. Use that one, or stop it first.':
      'Otro Fundus Courier ya trabaja con esta carpeta de datos. Use ese, o deténgalo primero.',
    'There is no space left on the disk of the data folder, so the outbox cannot be opened. All cases are kept; free some space and start again.':
      'No queda espacio en el disco de la carpeta de datos, por lo que no se puede abrir la bandeja de salida. Todos los casos se conservan; libere espacio e inicie de nuevo.',
    'The disk of the data folder failed while the outbox was read or written. It was left as it is; check the disk before the next start, and tell the administrator.':
      'El disco de la carpeta de datos falló al leer o escribir la bandeja de salida. Se dejó como estaba; compruebe el disco antes del próximo inicio, y avise al administrador.',
    'The outbox in the data folder may not be read and written by this account, so nothing can be sent. Give this account the right to change the files there, and start again.':
      'Esta cuenta no puede leer ni escribir la bandeja de salida de la carpeta de datos, por lo que no se puede enviar nada. Dé a esta cuenta el derecho de modificar los archivos de allí, e inicie de nuevo.',
    'Another program, such as a virus scanner or a synchroniser, holds the outbox file. Nothing was sent, and nothing was changed. Start again in a minute; if it happens again, except the data folder from that program.':
      'Otro programa, como un antivirus o un sincronizador, retiene el archivo de la bandeja de salida. No se envió nada y no se cambió nada. Inicie de nuevo dentro de un minuto; si vuelve a suceder, excluya la carpeta de datos de ese programa.',
    'This computer has too little memory, or too many files open, to open the outbox. Nothing was sent, and the outbox was left as it is. Close other programs and start again.':
      'Este equipo tiene muy poca memoria, o demasiados archivos abiertos, para abrir la bandeja de salida. No se envió nada, y la bandeja de salida se dejó como estaba. Cierre otros programas e inicie de nuevo.',
    'The outbox file cannot be used now, and was left as it is. Nothing was sent. Start again; if it happens again, tell the administrator.':
      'El archivo de la bandeja de salida no se puede usar ahora, y se dejó como estaba. No se envió nada. Inicie de nuevo; si vuelve a suceder, avise al administrador.',
    'The outbox could not be made durable ({{1}} is {{2}}). Check the disk and restart.':
      'No se pudo asegurar que la bandeja de salida quede guardada ({{1}} es {{2}}). Compruebe el disco y reinicie.',
    'This program was built with a database that may damage its file, so it does not start. Nothing was changed; install Fundus Courier again.':
      'Este programa contiene una base de datos que puede dañar su archivo, por lo que no se inicia. No se cambió nada; instale Fundus Courier de nuevo.',
    'The backup that is made before the outbox is brought to this version could not be made.':
      'No se pudo hacer la copia de seguridad que se hace antes de pasar la bandeja de salida a esta versión.',
    'The outbox could not be brought to this version.':
      'No se pudo pasar la bandeja de salida a esta versión.',
    'All cases are as they were, and the outbox was not changed.':
      'Todos los casos están como estaban, y la bandeja de salida no se cambió.',
    'There is no space left on the disk. Free some space and start again.':
      'No queda espacio en el disco. Libere espacio e inicie de nuevo.',
    'Check the disk of the data folder and start again; if it happens again, install the version before and tell the administrator.':
      'Compruebe el disco de la carpeta de datos e inicie de nuevo; si vuelve a suceder, instale la versión anterior y avise al administrador.',
    'This data folder was written by a newer Fundus Courier. Install that version again; nothing was changed.':
      'Esta carpeta de datos la escribió un Fundus Courier más nuevo. Instale de nuevo esa versión; no se cambió nada.',
    'The station file in the data folder cannot be read.':
      'No se puede leer el archivo de la estación en la carpeta de datos.',
    'The settings in the data folder (settings.json) cannot be read. Restore the file from a backup, or remove it and enter the settings again.':
      'No se pueden leer los ajustes de la carpeta de datos (settings.json). Restaure el archivo de una copia de seguridad, o elimínelo e introduzca los ajustes de nuevo.',
    'The disk of this computer is full, so the station cannot start. Nothing is lost, and nothing was sent. Free some space and start again.':
      'El disco de este equipo está lleno, por lo que la estación no puede iniciarse. No se perdió nada ni se envió nada. Libere espacio e inicie de nuevo.',
    'The disk of the data folder fails, so the station cannot start. Nothing was sent. Check the disk; restore the data folder from a backup if it is damaged.':
      'El disco de la carpeta de datos falla, por lo que la estación no puede iniciarse. No se envió nada. Compruebe el disco; restaure la carpeta de datos de una copia de seguridad si está dañada.',
    'The outbox is sound, so it was left as it is.':
      'La bandeja de salida está sana, por lo que se dejó como estaba.',
    'There is nothing to recover from in this data folder: the station begins with an empty outbox.':
      'En esta carpeta de datos no hay nada de lo que recuperar: la estación empieza con una bandeja de salida vacía.',
    'The station file could not be read and was set aside as {{1}}.':
      'No se pudo leer el archivo de la estación y se apartó como {{1}}.',
    'There was no outbox any more.': 'Ya no había bandeja de salida.',
    'The outbox that was there was set aside as {{1}}; nothing of it was deleted.':
      'La bandeja de salida que había se apartó como {{1}}; no se borró nada de ella.',
    'The backup {{1}} could not be used.': 'La copia de seguridad {{1}} no se pudo usar.',
    'There was no backup to build on, so the outbox was built of the notes beside the images alone.':
      'No había copia de seguridad de la que partir, por lo que la bandeja de salida se reconstruyó solo con las notas que acompañan a las imágenes.',
    'The outbox was built on the backup {{1}}.':
      'La bandeja de salida se reconstruyó a partir de la copia de seguridad {{1}}.',
    '{{1}} added and {{2}} brought up to date from the notes beside the images.':
      'Con las notas que acompañan a las imágenes: casos añadidos, {{1|part}}; casos actualizados, {{2|part}}.',
    '{{1}} damaged and set aside. Where only their images are known, the case shows no patient: compare it with the service.':
      'Notas dañadas y apartadas: {{1|part}}. Donde solo se conocen sus imágenes, el caso no muestra paciente: compárelo con el servicio.',
    '{{1}} beside the images could not be read, and what only they know is not known. Nothing was changed there: check the disk and the rights of the data folder, and compare the cases of the last days with the service.':
      'Notas junto a las imágenes que no se pudieron leer: {{1|part}}; lo que solo ellas saben no se conoce. No se cambió nada allí: compruebe el disco y los derechos de la carpeta de datos, y compare los casos de los últimos días con el servicio.',
    'The files of {{1}} not there any more. Their cases are kept and cannot be sent again.':
      'Imágenes cuyos archivos ya no están: {{1|part}}. Sus casos se conservan y no se pueden enviar de nuevo.',
    '{{1}} found that no case names. They were left where they are.':
      'Archivos copiados que ningún caso nombra: {{1|part}}. Se dejaron donde están.',
    'All cases are known as sent or discarded.': 'Consta que todos los casos fueron enviados o descartados.',
    '{{1}} not known as sent. The station looks for them at the service, and none goes again without evidence: see "Check delivery".':
      'Casos de los que no consta el envío: {{1|part}}. La estación los busca en el servicio, y ninguno se envía de nuevo sin pruebas: vea «Entrega dudosa».',
  },
  parts: {
    '1 case was': '1',
    '{{1}} cases were': '{{1}}',
    '1 note was': '1',
    '{{1}} notes were': '{{1}}',
    '1 note': '1',
    '{{1}} notes': '{{1}}',
    '1 image are': '1',
    '{{1}} images are': '{{1}}',
    '1 copied file was': '1',
    '{{1}} copied files were': '{{1}}',
    '1 case is': '1',
    '{{1}} cases are': '{{1}}',
  },
})

/** A message of a station that is not open, in this language; what of it nobody has translated stays English. */
export function saidAtStart(message: string, language: HostLanguage): string {
  return language === 'es' ? spanish.translate(message) : message
}
