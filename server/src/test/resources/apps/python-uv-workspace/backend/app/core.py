settings = None
