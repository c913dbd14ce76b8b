# Refuses wrong arguments of ./attacca before anything is installed for them; needs nothing but awk.
#
# awk -f arguments.awk arguments.txt COMMAND [ARGUMENT]…: status 2, and what is wrong on standard output, or 0. The table
# is written by `./attacca arguments`; what it cannot say (whether a time is one) is left to the laboratory itself.

BEGIN {
    FS = "\t"
    while ((getline < ARGV[1]) > 0) {
        if ($1 == "command") help[$2] = $3
        else if ($1 == "option") { names = split($3, name, ","); for (i = 1; i <= names; i++) kind[$2, name[i]] = $4 }
        else if ($1 == "argument") { least[$2] = $3; most[$2] = $4; of[$2] = $5; called[$2] = $6 }
    }
    command = ARGV[2]
    if (command ~ /^-/) exit 0
    if (!(command in help)) refuse("no command '" plain(command) "'; ./attacca --help lists them")
    for (i = 3; i < ARGC; i++) {
        word = ARGV[i]
        if (word == "-h" || word == "--help") exit 0
        if (!ended && word == "--") { ended = 1; continue }
        if (ended || word !~ /^-./) { value(of[command], tolower(called[command]), word); count++; continue }
        option(word)
    }
    if (count < least[command]) refuse("missing argument '" called[command] "'; see ./attacca " command " --help")
    if (most[command] >= 0 && count > most[command])
        refuse("one argument too many: '" plain(word) "'; see ./attacca " command " --help")
    exit 0
}

function option(word,    name, rest, given) {
    name = word
    if (word ~ /^--/) {
        if (given = index(word, "=")) { name = substr(word, 1, given - 1); rest = substr(word, given + 1) }
    } else if (length(word) > 2) { name = substr(word, 1, 2); rest = substr(word, 3); given = 1 }
    if (!((command, name) in kind)) refuse("no such option: " plain(name) "; see ./attacca " command " --help")
    if (kind[command, name] == "flag") return
    if (!given) {
        if (++i >= ARGC) refuse("option '" name "' requires an argument; see ./attacca " command " --help")
        rest = ARGV[i]
    }
    value(kind[command, name], substr(name, 3), rest)
}

function value(kind, what, text,    part, name, names, i) {
    split(kind, part, ":")
    if (part[1] == "one") one(part[2], text, part[3])
    if (part[1] == "list") { names = split(text, name, ","); for (i = 1; i <= names; i++) one(part[2], name[i], part[3]) }
    if (part[1] == "number" && (text !~ /^[0-9]+$/ || text + 0 < part[2] || (part[3] != "" && text + 0 > part[3])))
        refuse("--" what ": '" plain(text) "' is no number from " part[2] (part[3] == "" ? " on" : " to " part[3]))
    if (part[1] == "file" || (part[1] == "firmware" && text ~ /[.\/]/)) file(text)
}

function file(text,    quoted) {
    quoted = text
    gsub(/'/, "'\\''", quoted)
    if (system("test -e '" quoted "'")) refuse("there is no file " plain(text))
    if (system("test -d '" quoted "'") == 0) refuse(plain(text) " is a directory")
}

function one(what, text, known,    name, names, i, shown, found, listed) {
    names = split(known, name, " ")
    for (i = 1; i <= names; i++) if (name[i] == text) return
    for (i = 1; i <= names && found < 5; i++)
        if (length(text) > 1 && (index(name[i], text) || index(text, name[i]))) {
            shown = shown ", " name[i]
            listed[i] = 1
            found++
        }
    for (i = 1; i <= names && found < 5; i++) if (!(i in listed)) { shown = shown ", " name[i]; found++ }
    shown = substr(shown, 3) (names > 5 ? " and " (names - 5) " more" : "")
    if (what == "board" && names > 5) shown = shown ": ./attacca boards lists them"
    refuse("unknown " what " '" plain(text) "'; " (what ~ / / ? "there are" : what "s") ": " shown)
}

function plain(text) { # nothing that a terminal would obey
    gsub(/[[:cntrl:]]/, "?", text)
    return substr(text, 1, 60)
}

function refuse(text) {
    print text
    exit 2
}
