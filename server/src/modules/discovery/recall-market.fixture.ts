// A market as it might be, to measure what searches find in it. Its rows are separated by `|`, one to a line.

/** handle | preferred language | name | specialty | bio */
export const agents = `
lotte_marks | en | Lotte | Logo design and brand identity | I draw marks for small shops, bakeries and bands. You get three drafts, two rounds of changes and files for print and screen.
ben_brandbook | en | Ben Okafor | Brand strategy, naming and slogans | Names, claims and the voice of a company. I do not draw; I work together with designers and hand over a guide of ten pages.
iris_inks | en | Iris | Illustrator of children's books | Watercolour and ink. Animals, forests, kitchens, the odd dragon. I have illustrated fourteen picture books and I keep deadlines.
pixel_petra | en | Petra | Pixel art, sprites and tilesets for games | 16 and 32 pixel characters with walk cycles, palettes for old handhelds, animated tiles. Aseprite sources are included.
proof_pete | en | Pete | Proofreading of essays and theses | Spelling, grammar, punctuation and references, in British or American English. I mark each change and explain the ones you may not expect.
copy_carla | en | Carla | Copywriter for landing pages and newsletters | Short sentences that sell honestly. I interview you first, then write three variants and tell you which to test.
data_dina | en | Dina | Data analysis and charts in Python | pandas, polars, matplotlib. Send me a CSV and a question; you get a notebook that anyone can run again, and one page of findings.
sheet_sam | en | Sam | Excel and Google Sheets formulas | Pivot tables, lookups, macros and budgets that do not break when somebody adds a row.
rusty_rex | en | Rex | Backend development in Rust | Axum, Tokio, PostgreSQL. I write small services with tests and a readme, and I review pull requests for unsafe code.
react_rosa | en | Rosa | Frontend developer: React, TypeScript, accessibility | I build forms and dashboards that work with a keyboard and a screen reader. I also repair slow single-page applications.
pentest_paul | en | Paul | Penetration testing and security audits | I look for the holes before others do: web applications, APIs, leaked credentials. Report with steps to reproduce and a retest.
legal_leo | en | Leo | Contract review under English law | I read agreements clause by clause and tell you in plain words what you would be signing. No translations, no court work.
tax_tina | en | Tina | Bookkeeping and tax returns for freelancers | Receipts in, ledgers out. VAT, self assessment, and a reminder before each deadline.
voice_vera | en | Vera | Voice-over and narration | Warm alto, neutral accent. Explainer videos, e-learning, audiobooks, phone menus. Clean WAV, no breaths.
mix_milo | en | Milo | Mixing and mastering of music | Rock, folk and electronic. Send stems and a reference track, get a master for streaming and vinyl.
trip_toby | en | Toby | Travel itineraries by train | Europe without flying: timetables, seat reservations, night trains and where to eat between two connections.
chef_chidi | en | Chidi | Recipes and weekly meal plans | West African and Mediterranean home cooking, counted calories if you like, shopping list included. Good with allergies.
tutor_tess | en | Tess | Maths tutor for schools and exams | Fractions to calculus. I find where the understanding broke and begin there, with exercises made for one pupil.
ivan_dogovor | ru | Иван | Перевод договоров и юридических документов | Перевожу с английского на русский и обратно: контракты, уставы, доверенности. Термины согласую заранее, сроки соблюдаю.
masha_perevod | ru | Мария | Художественный перевод | Романы, рассказы и сказки с французского и английского. Берегу голос автора. Перевела одиннадцать книг.
anya_text | ru | Анна | Тексты для сайтов и рассылок | Пишу понятно и без воды: главная страница, карточки товаров, письма. Сначала задаю вопросы, потом пишу.
korrektor_lev | ru | Лев | Корректура и редактура | Исправляю ошибки и опечатки, проверяю пунктуацию и ссылки. Дипломы, статьи, книги. Каждую правку объясняю.
sveta_risuet | ru | Светлана | Иллюстрации к детским книгам | Акварель и карандаш: звери, бабушки, ёлки. Рисую развороты и обложки, готовлю файлы для типографии.
gleb_znak | ru | Глеб | Логотипы и фирменный стиль | Знаки для кофеен, клиник и школ. Три варианта, две правки, векторные файлы и короткий гайд.
python_pasha | ru | Павел | Парсеры и автоматизация на Python | Собираю данные с сайтов, раскладываю по таблицам, настраиваю запуск по расписанию. Код с тестами.
tg_timur | ru | Тимур | Разработка телеграм-ботов | Боты для записи клиентов, оплаты и опросов. Разворачиваю на вашем сервере и месяц сопровождаю.
elena_pravo | ru | Елена | Юрист по договорам аренды | Проверяю договоры найма и аренды, нахожу скрытые условия, составляю протокол разногласий. Консультирую письменно.
nina_buh | ru | Нина | Бухгалтерия и налоги для предпринимателей | Веду учёт для ИП и самозанятых, считаю взносы, готовлю декларации. Напоминаю о сроках.
oleg_kadr | ru | Олег | Монтаж видео | Собираю ролики для блогов и свадебные фильмы: цвет, звук, субтитры. Исходники возвращаю.
dasha_seti | ru | Дарья | SMM и ведение социальных сетей | План публикаций на месяц, посты, ответы подписчикам, отчёт с цифрами. Без накруток.
fedor_uchit | ru | Фёдор | Репетитор по физике и математике | Готовлю школьников к экзаменам. Объясняю на примерах, задачи подбираю под ученика.
alyona_sport | ru | Алёна | Программы тренировок и питания | Составляю планы для дома и зала, учитываю травмы. Раз в неделю смотрю дневник и меняю нагрузку.
boris_rifma | ru | Борис | Стихи и поздравления на заказ | Юбилеи, свадьбы, проводы на пенсию. Рифмую смешно и без пошлости, могу в стиле Есенина.
vika_sluh | ru | Виктория | Расшифровка аудио в текст | Интервью, лекции, совещания. Разделяю говорящих, ставлю метки времени, убираю слова-паразиты.
mei_falv | zh | 梅 | 法律文件翻译 | 翻译合同、协议和公司章程，中英互译。熟悉两国法律术语，交稿前自己校对两遍。
lin_wenxue | zh | 林晓 | 文学翻译 | 小说、诗歌、散文，英译中。尊重原文的节奏，已出版译作六部。
chen_biaozhi | zh | 陈先生 | 标志设计与品牌形象 | 为餐厅、茶馆和初创公司设计商标。提供三个方案，修改两次，交付矢量文件。
wang_huatu | zh | 王画 | 儿童绘本插画师 | 水彩和数码插画，擅长动物和中国传统节日。可以画封面，也可以画整本书。
liu_shuju | zh | 刘 | 数据分析与可视化 | 用Python和Excel处理销售数据，做图表和月报。数据保密，代码一并交付。
zhao_chengxu | zh | 赵工 | 微信小程序开发 | 商城、预约、点餐小程序，前端后端都做，帮助上线审核。
sun_wenan | zh | 孙文 | 小红书文案与短视频脚本 | 写种草笔记、产品介绍、口播脚本。先了解品牌，再动笔，不满意免费重写。
zhou_runse | zh | 周老师 | 英文论文润色 | 帮助研究生修改英文论文的语法和用词，保留作者的观点。理工科和医学都可以。
huang_peiyin | zh | 黄声 | 普通话配音 | 广告、有声书、课程讲解。男声，温和清楚，附送降噪后的原始文件。
wu_lvxing | zh | 吴游 | 旅行路线规划 | 云南、西藏和日本自由行。安排火车、酒店和餐厅，适合带老人和孩子的家庭。
uwe_vertrag | de | Uwe | Vertragsübersetzungen Deutsch-Englisch | Ich übersetze Verträge, Satzungen und Vollmachten. Jede Fassung wird von einem zweiten Paar Augen gelesen.
greta_lektorat | de | Greta | Lektorat und Korrektorat | Abschlussarbeiten, Bewerbungen, Romane. Ich prüfe Rechtschreibung, Stil und roten Faden und lasse Ihnen Ihre Stimme.
juergen_form | de | Jürgen Weiß | Logogestaltung und Visitenkarten | Klare Zeichen für Handwerk und Praxis. Drei Entwürfe, Reinzeichnung, Druckdaten.
sabine_steuer | de | Sabine | Steuererklärungen und Buchhaltung für Selbständige | Belege sortieren, Umsatzsteuer voranmelden, Einnahmenüberschussrechnung. Ich erinnere an Fristen.
karl_kocht | de | Karl | Vegane Rezepte und Wochenpläne | Alltagsküche ohne Tier, mit Einkaufsliste und Nährwerten. Auch glutenfrei und für große Familien.
bernd_java | de | Bernd | Java-Entwickler für Datenbanken und Schnittstellen | Spring, PostgreSQL, REST. Ich löse alte Programme ab, ohne dass der Betrieb steht.
ute_technik | de | Ute | Technische Übersetzungen | Bedienungsanleitungen, Datenblätter und Wartungspläne aus dem Englischen und Schwedischen. Terminologie wird gepflegt.
heike_stimme | de | Heike | Sprecherin für Hörbücher und Werbung | Ruhige, tiefe Stimme. Aufnahme im eigenen Studio, Schnitt inbegriffen. Märchen besonders gern.
max_moebel | de | Max | Möbelplanung und Einrichtung kleiner Wohnungen | Grundriss schicken, Maße nennen, drei Vorschläge bekommen. Küchen, Regale, Kinderzimmer.
nele_nachhilfe | de | Nele | Nachhilfe in Mathematik | Von Brüchen bis Abitur. Ich erkläre geduldig und stelle Übungsaufgaben mit Lösungsweg zusammen.
sofia_traduce | es | Sofía | Traducción jurídica español-inglés | Traduzco contratos, escrituras y poderes notariales. Trabajo con glosario y entrego en formato editable.
diego_carteles | es | Diego | Diseño de carteles y tipografía | Carteles para fiestas, teatros y festivales. Letras dibujadas a mano y archivos para imprenta.
lucia_cuentos | es | Lucía | Cuentos infantiles personalizados | Escribo historias en las que el protagonista es tu hijo. Con moraleja pequeña y mucho humor.
claire_relit | fr | Claire | Relecture et correction de mémoires | Orthographe, syntaxe, typographie, bibliographie. Chaque modification est visible et expliquée.
hugo_compose | fr | Hugo | Composition musicale pour films et jeux | Musiques originales, du piano seul à l'orchestre. Je livre les pistes séparées.
amelie_patisse | fr | Amélie | Recettes de pâtisserie | Tartes, brioches, entremets. J'adapte les recettes sans gluten ou sans œufs et je réponds aux ratés.
`

/** handle/key | title | description | tags | reward in minor units, with `from` if it is a minimum */
export const services = `
lotte_marks/logo | A logo for your shop | Three drafts in a week, two rounds of changes, then SVG, PDF and PNG. Colours and a black version included. | logo, branding, vector | 15000
lotte_marks/cards | Business cards that match your logo | Front and back, ready for the printer, with bleed. Up to five people of one company. | print, stationery | 4000
ben_brandbook/naming | Twenty names for your product, checked | Twenty candidates with a line of reasoning each. I check domains and obvious trademark conflicts in three countries. | naming, branding | 20000
iris_inks/picture-book | Illustrations for a picture book | Twelve spreads and a cover in watercolour. Sketches first; characters stay the same from page to page. | illustration, children, watercolour | from 90000
iris_inks/portrait | A portrait of your pet in ink | Send two photos of your cat, dog or tortoise. You get a scan at 600 dpi. | portrait, animals | 3500
pixel_petra/sprites | A sprite sheet for one character | Idle, walk, jump and attack in four directions, 32 by 32 pixels, with a palette of your choice. | pixel art, game, sprite | 6000
proof_pete/essay | I proofread your essay | Up to 3000 words in two days. Tracked changes and a short letter on what you do again and again. | proofreading, essay, English | 1800
proof_pete/thesis | Thesis check before you hand it in | Language, references and layout of a master's or doctoral thesis, by chapter. | thesis, editing, academic | from 12000
copy_carla/landing | Landing page copy | Headline, benefits, questions and answers, call to action. Three headlines to test against each other. | copywriting, marketing, web | 25000
data_dina/report | Your CSV as a report with charts | Cleaning, summary statistics and up to six charts, with the notebook. Up to a million rows. | data, python, visualization | 8000
sheet_sam/formula | A spreadsheet formula that works | Describe what you have and what you want. I answer with the formula, how it works and where it would break. | excel, google sheets, formula | 900
rusty_rex/service | A small web service in Rust | One HTTP API with a database, tests, container and documentation. I answer questions for a month. | rust, backend, api | from 60000
react_rosa/component | An accessible React component | Date picker, combobox, dialog or table: keyboard, screen reader and tests included. | react, typescript, a11y | 9500
pentest_paul/audit | Security audit of your web application | Five days of testing by the OWASP guide, a report sorted by risk, and a free retest within three months. | security, pentest, owasp | from 150000
legal_leo/review | I review your contract | Up to ten pages within two days: risky clauses marked, better wording proposed. | contract, law, review | 11000
tax_tina/return | Tax return for the self-employed | You upload receipts and bank statements, I fill in the forms and explain what you can deduct. | tax, accounting, freelance | 14000
voice_vera/narration | Narration of your explainer video | Up to three minutes, one revision, timed to the picture. | voice-over, audio, video | 5500
mix_milo/master | Mastering of one song | Loudness for streaming, and a second version for vinyl if you need it. | mastering, music, audio | 3000
trip_toby/week | A week by train, planned for you | Routes, reservations and hotels near stations for up to four people. Two alternatives for every leg. | travel, train, europe | 4500
chef_chidi/plan | Meal plan for a week | Seven dinners and five lunches with a shopping list. Vegetarian, halal or without nuts on request. | recipes, nutrition, meal plan | 2500
tutor_tess/lesson | Exercises for your next maths exam | Thirty problems from easy to hard on the topics you name, with worked solutions. | maths, tutoring, exam | 1500
ivan_dogovor/contract | Перевод договора на английский | До десяти страниц за три дня. Двуязычный документ в две колонки, единая терминология. | перевод, договор, английский | 9000
masha_perevod/rasskaz | Переведу рассказ или сказку | До двадцати тысяч знаков с английского или французского. Пробная страница бесплатно. | перевод, литература | 7000
anya_text/glavnaya | Текст для главной страницы сайта | Заголовок, выгоды, ответы на возражения. Интервью на полчаса, две правки. | копирайтинг, тексты, сайт | 6500
korrektor_lev/diplom | Вычитка дипломной работы | Орфография, пунктуация, оформление списка литературы по ГОСТу. До ста страниц за неделю. | корректура, диплом | from 5000
sveta_risuet/razvorot | Разворот для детской книги | Эскиз, цвет и две правки. Акварель, сканирую в высоком разрешении. | иллюстрация, дети, книга | 4800
gleb_znak/logo | Логотип для малого бизнеса | Три концепции, доработка одной, исходники в векторе. Подходит для вывески и сайта. | логотип, дизайн, брендинг | 12000
python_pasha/parser | Парсер сайта под ключ | Соберу товары, цены и фото в таблицу, настрою ежедневный запуск. Обхожусь без блокировок. | python, парсинг, данные | 7500
tg_timur/bot | Телеграм-бот для записи клиентов | Расписание, напоминания, оплата картой. Работает на вашем сервере. | telegram, бот, разработка | from 20000
elena_pravo/arenda | Проверю договор аренды квартиры | Отмечу опасные пункты, предложу формулировки, отвечу на вопросы. За один день. | юрист, аренда, договор | 3000
nina_buh/deklaraciya | Налоговая декларация для ИП | Упрощёнка и патент. Пришлите выписку из банка, верну заполненную декларацию и расчёт взносов. | налоги, бухгалтер, ИП | 4000
oleg_kadr/svadba | Монтаж свадебного фильма | До часа материала, цветокоррекция, музыка без нарушений прав, трейлер на минуту. | видео, монтаж, свадьба | 15000
dasha_seti/mesyac | Контент-план на месяц | Тридцать идей для постов, тексты и расписание публикаций для двух сетей. | smm, контент, соцсети | 8500
fedor_uchit/fizika | Задачи по физике с решениями | Двадцать задач по вашей теме, от простых к олимпиадным, с подробным разбором. | физика, репетитор, экзамен | 1200
boris_rifma/yubiley | Поздравление в стихах на юбилей | Двадцать строк о юбиляре: расскажите о нём, и я зарифмую. Готово за день. | стихи, поздравление | 700
vika_sluh/intervyu | Расшифровка интервью | Час записи за два дня, с разделением по ролям и метками времени. | расшифровка, аудио, текст | 2000
mei_falv/hetong | 合同翻译（中译英） | 十页以内三天交稿，双语对照，术语统一。保密协议可以先签。 | 翻译, 合同, 法律 | 9000
mei_falv/contract | Contract translation, Chinese to English | Both languages side by side, up to ten pages in three days. I sign a confidentiality agreement first. | translation, Chinese, legal | 9500
lin_wenxue/xiaoshuo | 短篇小说翻译 | 英译中，五千字以内，附译者说明。先试译一页，满意再付款。 | 翻译, 文学, 小说 | 6000
chen_biaozhi/logo | 餐厅logo设计 | 三个初稿，两次修改，交付AI和PNG文件，可用于招牌和外卖盒。 | logo, 设计, 餐饮 | 11000
wang_huatu/fengmian | 童书封面插画 | 一张封面，先草图后上色，分辨率满足印刷要求。 | 插画, 童书, 封面 | 5000
liu_shuju/yuebao | 销售数据月报 | 发来表格，两天内给你图表、结论和建议。 | 数据分析, excel, 报告 | 3800
zhao_chengxu/shangcheng | 微信商城小程序 | 商品、购物车、支付、物流查询，含一年维护。 | 小程序, 开发, 微信 | from 80000
sun_wenan/biji | 十篇小红书种草笔记 | 标题、正文和话题标签，语气自然，不像广告。 | 文案, 小红书, 营销 | 2800
zhou_runse/lunwen | 英文摘要和论文润色 | 按字数计价，改语法、用词和逻辑连接，附修改说明。 | 论文, 润色, 英文 | from 3000
huang_peiyin/guanggao | 广告配音三十秒 | 提供两个版本的语气，免费修改一次。 | 配音, 广告, 音频 | 2200
wu_lvxing/yunnan | 云南七日行程 | 昆明、大理、丽江，每天的交通和住宿都安排好，附美食清单。 | 旅行, 云南, 行程 | 3300
uwe_vertrag/vertrag | Übersetzung eines Vertrags ins Englische | Bis zehn Seiten in drei Tagen, zweispaltig, mit Liste der Begriffe. | übersetzung, vertrag, englisch | 9800
greta_lektorat/bachelor | Korrektorat Ihrer Bachelorarbeit | Rechtschreibung, Zeichensetzung, Quellenverzeichnis. Bis 60 Seiten in fünf Tagen. | lektorat, bachelorarbeit | 9000
juergen_form/logo | Logo für Handwerksbetriebe | Drei Entwürfe, eine Überarbeitung, Dateien für Fahrzeug, Schild und Briefpapier. | logo, gestaltung, handwerk | 13000
sabine_steuer/erklaerung | Steuererklärung für Freiberufler | Sie schicken Belege, ich fülle alles aus und sage, was Sie absetzen können. | steuer, buchhaltung | 16000
karl_kocht/woche | Veganer Wochenplan | Sieben Abendessen mit Einkaufsliste, saisonal und unter dreißig Minuten. | rezepte, vegan, kochen | 1900
ute_technik/anleitung | Bedienungsanleitung übersetzen | Vom Englischen ins Deutsche, mit Bildbeschriftungen und einheitlichen Begriffen. | übersetzung, technik, anleitung | from 7000
heike_stimme/hoerbuch | Hörbuch einsprechen | Eine Stunde fertiges Audio, geschnitten und gemastert. Probe vorab. | hörbuch, sprecherin, audio | 18000
max_moebel/grundriss | Einrichtungsvorschlag für Ihre Wohnung | Zu Ihrem Grundriss drei Varianten mit Maßen, Möbelliste und Preisen. | möbel, wohnung, planung | 5200
nele_nachhilfe/abitur | Übungsaufgaben fürs Mathe-Abitur | Analysis, Stochastik, Geometrie: 40 Aufgaben mit ausführlichem Lösungsweg. | mathe, nachhilfe, abitur | 1600
sofia_traduce/contrato | Traducción de contratos al inglés | Hasta diez páginas en tres días, a dos columnas y con glosario. | traducción, contrato, inglés | 8800
diego_carteles/cartel | Cartel para tu festival | Dos bocetos, letras hechas a mano y archivo listo para imprimir. | cartel, diseño, tipografía | 7700
claire_relit/memoire | Relecture de votre mémoire | Jusqu'à cent pages en une semaine, corrections visibles et bibliographie vérifiée. | relecture, mémoire, correction | 8200
amelie_patisse/gateau | La recette de votre gâteau d'anniversaire | Recette sur mesure, quantités pour vos invités, plan de préparation sur deux jours. | recette, pâtisserie, anniversaire | 1400
`

/** handle/key | title, or nothing | text */
export const works = `
lotte_marks/fox | A fox for a bakery | How a tail became a croissant: the drafts, what the owner disliked, and the final mark on the shop window and on paper bags.
ben_brandbook/essay | Why most slogans are forgotten | I collected two hundred claims and asked forty people a week later. Short ones with a verb stayed; adjectives did not.
iris_inks/dragon | The dragon who could not whistle | Spreads from a picture book for children of four. The dragon is in ink, the smoke is watercolour and salt.
pixel_petra/tiles | A village in 64 tiles | All tiles of a harbour village for a role-playing game, with water that moves in four frames.
proof_pete/commas | Commas that changed a contract | Five sentences in which one comma cost money, and how I would punctuate them.
copy_carla/newsletter | A newsletter nobody unsubscribed from | What we changed: one topic a week, no exclamation marks, a real reply address. Open rates before and after.
data_dina/bikes | Where the city's bikes go at night | Four million rides in one notebook. Heat maps by hour, and why the hill stations run empty before nine.
sheet_sam/budget | A household budget in one sheet | Categories, months and a pivot table. Copy it, change the yellow cells, leave the rest alone.
rusty_rex/queue | A job queue on PostgreSQL without locks | SKIP LOCKED, heartbeats and what happens if a worker dies. Benchmarks at one, ten and fifty workers.
react_rosa/forms | Forms that a screen reader can finish | Labels, errors and focus after a failed submit, shown on a checkout page with code.
pentest_paul/jwt | Six ways to break a login token | Weak secrets, missing expiry, algorithm confusion. What I found in this year's audits, without names.
legal_leo/nda | What an NDA does not protect | Three clauses people believe in and judges do not. Short examples from software projects.
tax_tina/deduct | What freelancers forget to deduct | Home office, training, bank fees. A list to tick off in January.
voice_vera/reel | Voice reel, spring | A museum guide, an advert for tea and two minutes of a detective novel, read in one take.
mix_milo/drums | Drums that breathe | Parallel compression on a folk record: settings, before and after, and what I would not do again.
trip_toby/lisbon | Berlin to Lisbon without a plane | Three days, five trains, one ferry ride for fun. Costs, delays and the best breakfast in Irun.
chef_chidi/jollof | Jollof rice for a crowd | For twenty people, with the smoky taste and without burning the pot. Vegan if you leave out the stock.
tutor_tess/fractions | Fractions with pizza do not work | What my pupils draw instead, and why number lines win. With a worksheet.
tutor_tess/calculus | The derivative in one picture | A tangent, a microscope and no formula until the last line.
ivan_dogovor/terminy | Десять ложных друзей в контрактах | Почему execution не казнь, а consideration не рассмотрение. Примеры из настоящих договоров.
masha_perevod/skazka | Сказка о стеклянном коте | Отрывок моего перевода с французского: кот, который боялся солнца.
anya_text/do-posle | Как мы сократили главную страницу вдвое | Было девятьсот слов, стало четыреста, заявок больше на треть. Показываю правки.
korrektor_lev/zapyatye | Запятая перед «как» | Короткая памятка с примерами из дипломов, которые я вычитывал этой весной.
sveta_risuet/yozhik | Ёжик идёт в школу | Шесть акварельных разворотов: лужи, портфель из листа и учительница-сова.
gleb_znak/kofe | Знак для кофейни «Полдень» | От тени чашки к солнечным часам. Эскизы, сетка и вывеска.
python_pasha/ceny | Цены на гречку за год | Собирал каждое утро с двенадцати магазинов. Графики, код и выводы.
tg_timur/opros | Бот, который провёл опрос за ночь | Две тысячи ответов, три ошибки и что я теперь делаю иначе.
elena_pravo/zalog | Залог при съёме квартиры: как вернуть | Что писать в акте, какие фото сделать и какой срок указать в договоре.
nina_buh/samozanyatye | Самозанятый или ИП | Сравниваю налоги, взносы и отчётность на трёх примерах доходов.
oleg_kadr/zvuk | Почему звук важнее картинки | Две версии одного ролика о ремесленнике: с шумом и без него.
dasha_seti/pekarnya | Как пекарня набрала тысячу подписчиков | Один рецепт в неделю, лица пекарей и никаких розыгрышей. Цифры за полгода.
fedor_uchit/mayatnik | Маятник из ложки | Опыт для седьмого класса: измеряем ускорение свободного падения на кухне.
alyona_sport/spina | Пять упражнений для спины | Для тех, кто сидит весь день. По две минуты, без коврика и гантелей.
boris_rifma/osen | Осень в электричке | Стихотворение о том, как едут домой грибники.
mei_falv/shuyu | 合同里最容易译错的十个词 | 举例说明“应当”和“可以”在英文合同里的区别，附参考译法。
lin_wenxue/shige | 译诗的三种办法 | 同一首英文短诗，直译、意译和仿作，各有得失。
chen_biaozhi/chaguan | 一间茶馆的标志 | 从茶壶到山水，记录草图和修改的过程。
wang_huatu/chunjie | 小兔子过春节 | 十二页绘本，水彩，讲兔子一家包饺子放烟花的故事。
liu_shuju/waimai | 外卖订单告诉我们什么 | 分析一年的订单：雨天多点汤，周五多点烧烤。附图表和代码。
zhao_chengxu/dianzan | 小程序启动慢的五个原因 | 分包、图片、接口合并，优化前后的时间对比。
sun_wenan/biaoti | 爆款标题的写法 | 收集了三百个标题，总结出四种开头。
huang_peiyin/shengyin | 怎样保护嗓子 | 配音演员的日常：喝水、休息、发声练习。
wu_lvxing/jingdu | 京都三日慢游 | 避开人群的寺院、早餐店和一条河边的散步路线。
wu_lvxing/laoren | 带父母旅行的清单 | 药品、证件、座位和每天走多少步。
uwe_vertrag/begriffe | Falsche Freunde im Vertragsrecht | Warum „eventually“ nicht eventuell heißt. Zwölf Beispiele aus meiner Praxis.
greta_lektorat/komma | Kommas vor „und“ | Ein kurzer Leitfaden mit Sätzen aus echten Hausarbeiten.
juergen_form/baecker | Ein Zeichen für die Bäckerei Sommer | Brezel, Sonne oder beides? Entwürfe und das fertige Schild.
sabine_steuer/arbeitszimmer | Das Arbeitszimmer absetzen | Was das Finanzamt anerkennt, mit Rechenbeispiel für Selbständige.
karl_kocht/linsen | Linsenbolognese | Schmeckt am zweiten Tag besser. Für vier Personen, vegan, kostet unter fünf Euro.
bernd_java/migration | Eine Datenbank umziehen, ohne anzuhalten | Doppelt schreiben, vergleichen, umschalten. Erfahrungen aus einem Lagerprogramm.
heike_stimme/maerchen | Der Froschkönig, gelesen | Zwölf Minuten Märchen, aufgenommen an einem Nachmittag mit Regen vor dem Fenster.
max_moebel/altbau | 38 Quadratmeter Altbau | Hochbett, Klapptisch und ein Regal als Wand. Fotos und Skizzen vor und nach dem Umbau.
nele_nachhilfe/bruch | Bruchrechnung mit Papierstreifen | Falten statt auswendig lernen. Vorlage zum Ausdrucken.
sofia_traduce/falsos | Falsos amigos en los contratos | Por qué «actual» no es actual. Diez ejemplos de escrituras que traduje.
diego_carteles/jazz | Cartel para un festival de jazz | Tres colores, una trompeta y letras recortadas con tijera.
lucia_cuentos/luna | La niña que barría la luna | Un cuento corto para leer antes de dormir.
lucia_cuentos/pez | El pez que no quería mojarse | Cuento para niños de cinco años, con final abierto.
claire_relit/pieges | Les accords que tout le monde rate | Participe passé, couleurs composées, « tout » : une fiche d'une page.
hugo_compose/pluie | Valse de la pluie | Piano et violoncelle, trois minutes, écrite pour un court métrage d'animation.
amelie_patisse/brioche |  | Ma brioche sans pétrissage : cinq minutes de travail, une nuit au frais, et comment rattraper une pâte trop molle.
`
